#pragma once
// This header has two ways to renumber vertices. `renumber` calls a function for each edge, and
// `all_compact_ids` gives the vertices consecutive numbers.

#include "atoll/graph/name_part.hpp"
#include "atoll/graph/packed_edges.hpp"
#include "atoll/graph/stretches.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace atl::graph {

/// Before `renumber` changes edge i, `renumber` calls `prefetch` for edge i + `k_edges_ahead`.
inline constexpr std::size_t k_edges_ahead = 16;

/// Replaces each edge by `changed(edge)`. Weights stay the same. `prefetch(edge)` is called some
/// edges earlier, and can prefetch the memory that `changed(edge)` will read. The call does not
/// communicate, and other tasks run meanwhile.
template <class Changed, class Prefetch>
task<> renumber(packed_edges& edges, Changed changed, Prefetch prefetch) {
  packed_edges result;
  const bool weighted = edges.weighted();
  const bool real = edges.has_real_weights();
  std::vector<edge> some;
  std::vector<std::int64_t> weights;
  const auto change = [&](std::uint64_t begin, std::uint64_t end) {
    some.clear();
    weights.clear();
    for (std::uint64_t i = begin; i < end; ++i) {
      some.push_back(edges(i));
      if (!weighted) continue;
      weights.push_back(real ? std::bit_cast<std::int64_t>(edges.real_weight(i)) : edges.weight(i));
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (i + k_edges_ahead < some.size()) prefetch(some[i + k_edges_ahead]);
      some[i] = changed(some[i]);
    }
    result.add(some, weights, real ? weight_kind::real : weight_kind::integer);
    edges.forget_until(end);
  };
  co_await in_stretches(0, edges.size(), change, k_stretch / 16);
  result.settle();
  edges = std::move(result);
}

template <class Changed>
task<> renumber(packed_edges& edges, Changed changed) {
  return renumber(edges, changed, [](edge) {});
}

// This part numbers vertices without gaps. The different ids in edges become 0, 1, 2 and so on, in
// ascending order. Each PE stores a range of the ids, which then are the names of its vertices
// (name_part.hpp).

/// Replaces the ids in the edges of all PEs by numbers, and stores the ids in `part`. The numbers
/// do not depend on the number of PEs. Each PE stores its share of the ids. During the call, a PE
/// needs memory for at most eight numbers per different id in its edges. Every PE calls this
/// function.
task<> all_compact_ids(packed_edges& edges, name_part& part);

/// Numbers ids like the function `all_compact_ids` without the parameter `listed`. `listed`
/// contains the ids of all vertices, also of vertices without edges. Each PE passes a part of the
/// list, and an id may occur more than once. Returns the smallest id that is an endpoint of an edge
/// but is in no list. Returns nothing if all endpoints are listed. The result is the same on every
/// PE. Every PE calls this function.
task<std::optional<std::uint64_t>> all_compact_ids(packed_edges& edges, name_part& part,
                                                   std::vector<std::uint64_t> listed);

/// Returns the PE that would store the id. `all_compact_ids` must have filled `part`.
int pe_of_id(const name_part& part, std::uint64_t id);

/// Returns the vertex of the id. The caller must be on the PE that stores the id.
std::optional<std::uint64_t> compacted_vertex(const name_part& part, std::uint64_t id);

}  // namespace atl::graph
