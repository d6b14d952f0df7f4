#pragma once
// Edges of a minimum spanning tree under way, and the order in which they are taken.

#include "atoll/local_memory.hpp"

#include <cstdint>
#include <limits>

namespace atl::kernels::mst {

/// An edge between two components: 16 bytes while numbers of vertices and edges fit 32 bits, which
/// is when Word is that wide. Between PEs `a` and `b` are names of components, or places in a list
/// of names that goes with the edges; in a part they are positions in its table.
template <class Word>
struct edge_record {
  Word a;
  Word b;
  Word weight;  ///< above the lightest of the graph
  Word id;      ///< rank of the edge among all, by its smaller and then its larger vertex
};

template <class Word>
using edge_records = huge_vector<edge_record<Word>>;

/// Weight and id side by side: no two edges of a graph have equal keys, so that the minimum
/// spanning forest is one set of edges.
template <class Word>
struct edge_key;

template <>
struct edge_key<std::uint32_t> {
  using type = std::uint64_t;
  static constexpr type none = ~type{0};
};
template <>
struct edge_key<std::uint64_t> {
  using type = unsigned __int128;
  static constexpr type none = ~type{0};
};

template <class Word>
typename edge_key<Word>::type key_of(const edge_record<Word>& edge) {
  using key = typename edge_key<Word>::type;
  return static_cast<key>(edge.weight) << std::numeric_limits<Word>::digits | edge.id;
}

/// The lightest edge of a component so far.
template <class Word>
struct lightest_edge {
  typename edge_key<Word>::type key = edge_key<Word>::none;
  Word edge = 0;  ///< its place

  void offer(typename edge_key<Word>::type other, Word place) {
    if (other < key) *this = {other, place};
  }
};

}  // namespace atl::kernels::mst
