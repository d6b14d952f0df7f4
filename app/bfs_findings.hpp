#pragma once
// What a job of `atoll bfs` finds out.

#include "app/graph_findings.hpp"
#include "atoll/graph/input_check.hpp"
#include "atoll/kernels/bfs/run.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// One level of the tree of the first root.
struct bfs_level {
  std::uint64_t vertices = 0;
  std::vector<std::string> examples;  ///< those with most neighbours
};

struct bfs_findings : graph_findings {
  input_differences input;  ///< with verify

  std::vector<shown_vertex> roots;
  std::vector<std::vector<kernels::bfs::search_outcome>> trials;  ///< timed ones, by root
  kernels::bfs::violations last_tree;  ///< of the first root, searched again to be written
  std::vector<bfs_level> levels;
  std::vector<std::string> path;  ///< from the first root; empty where the goal was not reached

  bool right() const { return input.total() == 0 && found().total() == 0; }

  /// The rules that trees break.
  kernels::bfs::violations found() const {
    kernels::bfs::violations sum = last_tree;
    for (const auto& trial : trials) {
      for (const auto& search : trial) sum = sum + search.found;
    }
    return sum;
  }
};

}  // namespace atl::app
