#pragma once
// Phase 4, the ring (X2): some components move to the next PE, where their lightest edge leads, so
// that they can grow there. Those that have edges to them are told their new owner first.

#include "atoll/kernels/mst/contract.hpp"
#include "atoll/kernels/mst/lists.hpp"
#include "atoll/kernels/mst/parcel.hpp"

namespace atl::kernels::mst {

/// The components of a part that move, and where to.
template <class Word>
class ring_move {
 public:
  /// At most `fraction` of its components, of those whose lightest edge leads to a component of
  /// `next`.
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

  /// For each PE the names of those that it has edges to, ascending.
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

  /// A piece of the notices of a PE: these components move to `owner`.
  void apply(std::span<const Word> names, int owner) {
    auto from = part_.names.begin();
    for (const Word name : names) {
      from = std::lower_bound(from, part_.names.end(), name);
      if (from != part_.names.end() && *from == name)
        part_.owners[static_cast<std::size_t>(from - part_.names.begin())] = owner;
    }
  }

  /// Once all notices have been heard: what moves, which is no longer this PE's after `forget`.
  parcel<Word> take() {
    for (std::size_t i = 0; i < moves_.size(); ++i)
      if (moves_[i] != 0) part_.owners[i] = next_;
    return pack(part_,
                [this](const auto& edge) { return moves_[edge.a] != 0 || moves_[edge.b] != 0; });
  }

  /// Drops what was taken, and stands between others now; before edges arrive.
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
