#pragma once
// Moves edges to another PE's part of the graph. This header also has the ring of PEs along which
// components move.

#include "atoll/kernels/mst/contract.hpp"
#include "atoll/kernels/mst/lists.hpp"
#include "atoll/kernels/mst/part.hpp"

#include <span>

namespace atl::kernels::mst {

// Edges that move to another PE are sent together with the names of their components.

template <class Word>
struct component_place {
  Word name;
  Word owner;
};

/// A set of edges that are sent to another PE, with the names of the components at both ends of the
/// edges. The members `a` and `b` of an edge are indexes into `places`, the list of components.
template <class Word>
struct parcel {
  huge_vector<component_place<Word>> places;
  edge_records<Word> edges;
};

/// Adds edges from other PEs to this PE's part of the graph. A set of edges from one PE is called a
/// parcel. The caller first adds the components (`places`) of all parcels (sets of edges), and then
/// the edges of all parcels.
template <class Word>
class parcel_arrival {
 public:
  explicit parcel_arrival(part<Word>& into) : part_(into) {}

  /// Prepares the part for edges from other PEs. The caller must call this function before the
  /// components (`places`) of any parcel (set of edges from one PE) arrive. Until the call of
  /// `settle`, the caller can still drop edges of this part.
  void begin() { first_place_ = part_.names.size(); }

  /// Adds some of the components of a parcel (`parcel::places`). The caller must pass the
  /// components in their order.
  void add_places(std::span<const component_place<Word>> piece) {
    for (const auto& [name, owner] : piece) {
      part_.names.push_back(name);
      part_.owners.push_back(static_cast<std::int32_t>(owner));
    }
  }

  /// If several entries of the part's table have the same name, makes one component of these
  /// entries. If the table already had the name of an arriving component, the owner in the table is
  /// kept. Edges can be added only after this call, because the call determines the positions of
  /// the edges' endpoints.
  void settle() {
    place_of_ = rename(part_, huge_vector<Word>(part_.names),
                       huge_vector<std::int32_t>(part_.owners), first_place_);
  }

  /// Adds edges of a parcel, a set of edges from one PE. `places_before` is the number of
  /// components of other parcels that arrived before the components of this parcel.
  void add_edges(std::span<const edge_record<Word>> piece, std::size_t places_before = 0) {
    const Word* const place_of = place_of_.data() + first_place_ + places_before;
    for (const auto& each : piece)
      part_.edges.push_back({place_of[each.a], place_of[each.b], each.weight, each.id});
  }

 private:
  part<Word>& part_;
  std::size_t first_place_ = 0;
  // For each component that arrived: its position in the table of names.
  huge_vector<Word> place_of_;
};

/// Packs the edges for which `goes(edge)` is true into a parcel, a set of edges for another PE.
template <class Word, class Goes>
parcel<Word> pack(const part<Word>& of, Goes goes) {
  parcel<Word> packed;
  const auto unplaced = static_cast<Word>(of.names.size());
  huge_vector<Word> place(of.names.size(), unplaced);
  const auto place_of = [&](Word position) {
    if (place[position] == unplaced) {
      place[position] = static_cast<Word>(packed.places.size());
      packed.places.push_back({of.names[position], static_cast<Word>(of.owners[position])});
    }
    return place[position];
  };
  for (const auto& each : of.edges) {
    if (!goes(each)) continue;
    const Word a = place_of(each.a);
    packed.edges.push_back({a, place_of(each.b), each.weight, each.id});
  }
  return packed;
}

// Phase 4, the ring (transfer X2). A component moves to the next PE if its lightest edge leads to a
// component of the next PE. The next PE can then join the two components. PEs with edges to the
// component are first told the new owner of the component.

/// The components of one PE that move to the next PE of the ring.
template <class Word>
class ring_move {
 public:
  /// Chooses the components that will move to PE `next`. The lightest edge of a moving component
  /// leads to a component of PE `next`. The number of moving components is at most `fraction` times
  /// the number of the part's own components.
  ring_move(part<Word>& of, int next, double fraction)
      : part_(of), next_(next), moves_(of.names.size()) {
    huge_vector<lightest_edge<Word>> lightest(of.names.size());
    for (std::size_t i = 0; i < of.edges.size(); ++i) {
      const auto& edge = of.edges[i];
      lightest[edge.a].offer(key_of(edge), static_cast<Word>(i));
      lightest[edge.b].offer(key_of(edge), static_cast<Word>(i));
    }
    auto left = static_cast<std::uint64_t>(fraction * static_cast<double>(of.own_components()));
    for (std::size_t i = 0; i < moves_.size() && left > 0; ++i) {
      const bool has_edge = lightest[i].key != edge_key<Word>::none;
      if (!has_edge || !of.owns(static_cast<Word>(i))) continue;
      const auto& edge = of.edges[lightest[i].edge];
      moves_[i] = of.owners[edge.a] == next || of.owners[edge.b] == next ? 1 : 0;
      left -= moves_[i];
    }
  }

  /// Returns, for each PE, the names of moving components to which the PE has edges. Names are in
  /// ascending order.
  lists<Word> notices(int pes) const {
    pe_sets neighbours(moves_.size(), pes);
    for (const auto& edge : part_.edges) {
      if (moves_[edge.a] != 0) neighbours.add(edge.a, part_.owners[edge.b]);
      if (moves_[edge.b] != 0) neighbours.add(edge.b, part_.owners[edge.a]);
    }
    lists<Word> found(pes);
    const auto for_each = [&](auto visit) {
      for (std::size_t i = 0; i < moves_.size(); ++i)
        neighbours.for_each(i, [&](int pe) {
          if (pe != part_.rank) visit(pe, part_.names[i]);
        });
    };
    for_each([&](int pe, Word) { found.count(pe); });
    found.allocate();
    for_each([&](int pe, Word name) { found.add(pe, name); });
    return found;
  }

  /// Makes `owner` the owner of the components in `names`. The names come from another PE, whose
  /// `notices` returned them.
  void apply(std::span<const Word> names, int owner) {
    auto from = part_.names.begin();
    for (const Word name : names) {
      from = std::lower_bound(from, part_.names.end(), name);
      if (from != part_.names.end() && *from == name)
        part_.owners[static_cast<std::size_t>(from - part_.names.begin())] = owner;
    }
  }

  /// Returns the moving components with their edges. The caller must call this function after the
  /// notices of all PEs were applied. This PE's part of the graph still contains the edges until
  /// `forget` is called.
  parcel<Word> take() {
    for (std::size_t i = 0; i < moves_.size(); ++i)
      if (moves_[i] != 0) part_.owners[i] = next_;
    return pack(part_,
                [this](const auto& edge) { return moves_[edge.a] != 0 || moves_[edge.b] != 0; });
  }

  /// Drops the moved edges that no longer touch a component of this PE. The caller must call this
  /// function before edges arrive.
  void forget() {
    keep_edges(part_,
               [this](const auto& edge) { return part_.owns(edge.a) || part_.owns(edge.b); });
  }

 private:
  part<Word>& part_;
  int next_;
  huge_vector<std::uint8_t> moves_;
};

}  // namespace atl::kernels::mst
