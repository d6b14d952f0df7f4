#pragma once
// What a job of `atoll bfs` finds out.

#include "atoll/graph/input_check.hpp"
#include "atoll/graph/load.hpp"
#include "atoll/kernels/bfs_run.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// A vertex as people see it: by its name, or its number where it has none.
struct shown_vertex {
  std::uint64_t id = 0;
  std::string text;
};

struct bfs_pe_facts {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;          ///< of its part of the graph
  std::uint64_t scanned_edges = 0;  ///< arcs looked at in the last trial
  std::uint64_t bytes_peak = 0;     ///< of the process, as the system counts them
};

/// One level of the tree of the first root.
struct bfs_level {
  std::uint64_t vertices = 0;
  std::vector<std::string> examples;  ///< those with most neighbours
};

struct bfs_findings {
  graph_size size;
  bool named = false;
  unsigned id_bits = 32;
  std::uint64_t hubs = 0;
  input_differences input;  ///< with verify
  double read_seconds = 0;
  double build_seconds = 0;
  std::vector<bfs_pe_facts> pes;

  std::vector<shown_vertex> roots;
  std::vector<std::vector<kernels::bfs::search_outcome>> trials;  ///< timed ones, by root
  std::vector<bfs_level> levels;
  std::vector<std::string> path;  ///< from the first root; empty where the goal was not reached

  std::uint64_t arcs() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes) sum += pe.arcs;
    return sum;
  }

  /// The arcs of the largest PE over the average.
  double balance() const {
    std::uint64_t most = 0;
    for (const auto& pe : pes) most = std::max(most, pe.arcs);
    if (most == 0) return 1;
    return static_cast<double>(most) * static_cast<double>(pes.size()) /
           static_cast<double>(arcs());
  }

  bool right() const { return input.total() == 0 && found().total() == 0; }

  /// The rules that trees break.
  kernels::bfs::violations found() const {
    kernels::bfs::violations sum;
    for (const auto& trial : trials) {
      for (const auto& search : trial) sum = sum + search.found;
    }
    return sum;
  }
};

}  // namespace atl::app
