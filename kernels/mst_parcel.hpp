#pragma once
// Edges on their way to another part, with the names of the components they touch.

#include "atoll/kernels/mst_part.hpp"

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

/// Adds parcels to a part. Positions of what was there stay until `finish`.
template <class Word>
class parcel_arrival {
 public:
  explicit parcel_arrival(part<Word>& into) : part_(into) {}

  /// Pieces of the places of a parcel, and then of its edges, in order.
  void begin() { first_place_ = static_cast<Word>(part_.names.size()); }
  void add_places(std::span<const component_place<Word>> piece) {
    for (const auto& [name, owner] : piece) {
      part_.names.push_back(name);
      part_.owners.push_back(static_cast<std::int32_t>(owner));
    }
  }
  void add_edges(std::span<const edge_record<Word>> piece) { add_edges(piece, first_place_); }

  /// Where the places of the parcel begin at that one.
  void add_edges(std::span<const edge_record<Word>> piece, Word first_place) {
    for (const auto& each : piece)
      part_.edges.push_back({static_cast<Word>(each.a + first_place),
                             static_cast<Word>(each.b + first_place), each.weight, each.id});
  }

  /// Names that came more than once become one; what was known here of their owners is kept.
  void finish() {
    rename(part_, huge_vector<Word>(part_.names), huge_vector<std::int32_t>(part_.owners));
  }

 private:
  part<Word>& part_;
  Word first_place_ = 0;
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
