#pragma once
// The data of a process about its vertices in a search over MPI.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "peers/graph/input.hpp"
#include "support/huge_array.hpp"

namespace bench::peers {

struct tree_part {
  tree_part(const atl::generator_parameters& graph, const mpi_session& all)
      : where(graph.vertices(), all.size),
        first(static_cast<vertex>(where.begin(all.rank))),
        edges_from(edges_by_first(graph, all, where)),
        parents(where.size(all.rank)),
        degrees(where.size(all.rank)) {
    parents.touch();
  }

  bool owns(std::uint64_t v) const { return v >= first && v - first < parents.size(); }
  void start() { std::ranges::fill(parents, -1); }

  /// Returns the number of input edges in the component of the last root. All processes call this
  /// function.
  std::uint64_t all_reached_edges() const {
    std::uint64_t edges = 0;
    for (std::size_t i = 0; i < parents.size(); ++i) edges += parents[i] >= 0 ? edges_from[i] : 0;
    return mpi_session::sum(edges);
  }

  partition where;
  vertex first;
  std::vector<std::uint32_t> edges_from;  // for each vertex, number of input edges that begin there
  huge_array<std::int32_t> parents;       // parents in the last search; negative: not reached
  huge_array<std::uint32_t> degrees;      // degrees without duplicates and self loops
};

}  // namespace bench::peers
