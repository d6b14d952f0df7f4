#pragma once
// What `atoll bfs` was asked for.

#include "app/benchmark.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/load.hpp"

#include <string>
#include <vector>

namespace atl::app {

struct bfs_flags {
  benchmark_flags common;
  graph_files files;            ///< without edges: a Kronecker graph
  generator_parameters random;  ///< that graph; its seed is also that of the roots
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 16;
  std::vector<std::string> chosen_roots;  ///< names or ids, in place of random ones
  bool levels = false;
  std::string path_to;    ///< name or id, "" for none
  bool wide_ids = false;  ///< 64 bits even where 32 suffice

  bool generated() const { return files.edges.empty(); }
};

}  // namespace atl::app
