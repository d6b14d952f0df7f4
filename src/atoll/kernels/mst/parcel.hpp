#pragma once
// Edges on their way to another part, with the names of the components they touch.

#include "atoll/kernels/mst/part.hpp"

#include <span>

namespace atl::kernels::mst {

template <class Word>
struct component_place {
  Word name;
  Word owner;
};

/// `a` and `b` of the edges are places.
template <class Word>
struct parcel {
  huge_vector<component_place<Word>> places;
  edge_records<Word> edges;
};

/// Adds parcels to a part: first the places of all, then the edges of all.
template <class Word>
class parcel_arrival {
 public:
  explicit parcel_arrival(part<Word>& into) : part_(into) {}

  /// Before places come. Until `settle` edges of what is here may still be dropped.
  void begin() { first_place_ = part_.names.size(); }

  /// Pieces of the places, in order.
  void add_places(std::span<const component_place<Word>> piece) {
    for (const auto& [name, owner] : piece) {
      part_.names.push_back(name);
      part_.owners.push_back(static_cast<std::int32_t>(owner));
    }
  }

  /// Names that came more than once become one; what was known here of their owners is kept. Edges
  /// may come only now, and find where their ends stand.
  void settle() {
    place_of_ = rename(part_, huge_vector<Word>(part_.names),
                       huge_vector<std::int32_t>(part_.owners), first_place_);
  }

  /// Of a parcel whose places came behind so many others.
  void add_edges(std::span<const edge_record<Word>> piece, std::size_t places_before = 0) {
    const Word* const place_of = place_of_.data() + first_place_ + places_before;
    for (const auto& each : piece)
      part_.edges.push_back({place_of[each.a], place_of[each.b], each.weight, each.id});
  }

 private:
  part<Word>& part_;
  std::size_t first_place_ = 0;
  huge_vector<Word> place_of_;  // now, of what had a place before
};

/// The edges for which `goes(edge)`, packed.
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

}  // namespace atl::kernels::mst
