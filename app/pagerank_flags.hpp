#pragma once
// What `atoll pagerank` was asked for.

#include "app/graph_flags.hpp"
#include "atoll/kernels/pagerank/iterate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::app {

struct pagerank_flags : graph_flags {
  benchmark_flags common;
  kernels::pagerank::parameters with;
  kernels::pagerank::form how = kernels::pagerank::form::blocked;
  bool directed = false;    ///< said so
  bool undirected = false;  ///< said so
  bool weighted = false;
  std::uint64_t top = 10;  ///< vertices that are shown

  /// Files hold links from one to another unless it is said otherwise; random graphs do not.
  orientation arcs_are() const {
    const bool ways = undirected || (generated() && !directed);
    return ways ? orientation::undirected : orientation::out;
  }
};

/// The forms as the user names them, in the order of `form`.
inline const std::vector<std::string> k_pagerank_forms = {"blocked", "plain"};

}  // namespace atl::app
