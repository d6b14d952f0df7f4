#pragma once
// Options of all limit programs on graphs: the graph and the number of threads. A limit program is
// a plain program without Atoll whose speed is a limit for a benchmark.

#include "input.hpp"
#include "support/flags.hpp"

namespace bench::bfs {

struct graph_options {
  std::uint64_t scale = 20, edge_factor = 16, seed = 1, threads = 2;
  std::string graph;
  bool verify = false;

  /// Makes the graph that the options describe. Throws bad_input if the options are wrong.
  input make() const {
    return graph.empty() ? generate(scale, edge_factor, seed) : read_edge_list(graph);
  }
};

/// Adds the flags of `o`. `check` is the help of --verify.
inline void add_graph_flags(flags& flags, graph_options& o, const char* check) {
  flags.add("scale", o.scale, 1, 27, "2^N vertices of the Kronecker graph");
  flags.add("edge-factor", o.edge_factor, 1, 1024, "edges a vertex of the Kronecker graph");
  flags.add("graph", o.graph, "an edge list (.el) instead of the Kronecker graph");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph, and of what is chosen in it");
  flags.add("threads", o.threads, 1, 1024, "threads of OpenMP, each bound to a processor");
  flags.add("verify", o.verify, check);
}

}  // namespace bench::bfs
