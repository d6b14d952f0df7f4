#pragma once
// Measures PageRank on the graph of `atoll bench pagerank --scale`. The measured time covers the
// same work as the time of `atoll bench pagerank`.

#include <span>

#include "limits/bfs/input.hpp"
#include "limits/pagerank/parameters.hpp"
#include "limits/pagerank/verify.hpp"
#include "peers/graph/input.hpp"
#include "support/json_line.hpp"

namespace bench::peers {

struct rank_options : graph_options {
  pagerank::parameters with;
};

inline void add_rank_flags(flags& flags, rank_options& o) {
  add_graph_flags(flags, o, "check the ranks by a serial computation");
  pagerank::add_flags(flags, o.with);
}

/// Compares all ranks with the ranks that one process computes alone. All processes call this
/// function.
template <class Ranks>
bool is_right(const rank_options& o, const mpi_session& all, const Ranks& found) {
  const auto ranks = gather(found.own_ranks(), found.where(), all);
  bool right = true;
  if (all.rank == 0) {
    const auto input = bfs::generate(o.scale, o.edge_factor, o.seed);
    const bfs::csr graph(input.vertices, std::span(input.edges.data(), input.edges.size()));
    right = pagerank::is_right(graph, o.with.damping, found.iterations(), ranks);
  }
  return mpi_session::sum(std::uint64_t{!right}) == 0;
}

/// Prints one line of JSON on the first process. Returns false if the options ask for a check and
/// the result is wrong. All processes call this function.
template <class Ranks>
bool measure(const rank_options& o, const mpi_session& all, Ranks& ranks) {
  ranks.run();  // a warm-up run, as in Atoll's benchmark
  const double seconds = seconds_of_all([&] { ranks.run(); });
  const bool right = !o.verify || is_right(o, all, ranks);
  if (all.rank != 0) return right;
  const auto edges = static_cast<double>(o.graph().edges());
  const auto iterations = static_cast<double>(ranks.iterations());
  json_line(edges * iterations / seconds, "edges/s")
      .add("seconds", seconds)
      .add("iterations", iterations)
      .add("residual", ranks.residual())
      .add("vertices", static_cast<double>(o.graph().vertices()))
      .add("input_edges", edges)
      .add("processes", all.size)
      .print();
  return right;
}

/// Implements `main` of a program for PageRank over MPI. If no launcher has started the program,
/// the program starts a launcher itself.
template <class Ranks>
int run_rank_peer(const char* what, int argc, char** argv) {
  rank_options o;
  flags flags(what);
  add_rank_flags(flags, o);
  return run_program(flags, argc, argv, [&] {
    o.check();
    launch_under_mpi(BENCH_LAUNCHER, argv, o.processes, o.over_hosts);
    const mpi_session all;
    Ranks ranks(o.graph(), all, o.with);
    return measure(o, all, ranks);
  });
}

}  // namespace bench::peers
