#pragma once
// The graph a command works on: a file of edges or, to measure with, a random graph.

#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/random_graph.hpp"

#include <string>
#include <vector>

namespace atl::app {

struct graph_flags {
  benchmark_flags common;
  graph_files files;            ///< without edges: a random graph
  generator_parameters random;  ///< that graph; its seed is also that of other random choices
  bool wide_ids = false;        ///< 64 bits even where 32 suffice
  std::string output;           ///< file of the result; "" for none

  bool generated() const { return files.edges.empty(); }

  /// "--scale 20 --edge-factor 16", or the file.
  std::string name() const;
};

/// Adds GRAPH, --from, --skip-lines, --names and --compact and, to a command that measures, the
/// flags of random graphs. `flags` lives as long as the command.
void add_graph_flags(CLI::App& command, graph_flags& flags);

/// Before the file of edges is looked at: see input_flags.hpp.
void open_input(graph_flags& flags);

void add_graph_parameters(report& result, const graph_flags& flags);

/// Throws `error` (input) unless the flags make a graph.
void check_graph_flags(const graph_flags& flags);

/// Adds --kind, --scale, --vertices, --edge-factor and --edges-per-vertex. `graph` lives as long as
/// the command.
std::vector<flag> add_random_graph_flags(CLI::App& command, generator_parameters& graph);

/// "kronecker", "uniform" or "web".
std::string name_of(graph_kind kind);

/// The flags that make the graph, other than the seed, without those of a Kronecker graph by
/// default: {"--kind", "web", "--scale", "20", "--edge-factor", "16"}.
std::vector<std::string> words_of(const generator_parameters& graph);

/// Whether the limit programs take the graph: Kronecker graphs and plain .el files, of no more than
/// they have numbers for.
bool limit_takes_graph(const graph_flags& flags);

/// A limit program with the flags that make it take the same graph, on as many cores.
std::vector<std::string> limit_command(const std::string& program, const graph_flags& flags,
                                       const report& result);

/// Whether the peers over MPI take it: generated Kronecker graphs of at most 2^30 edges.
bool peers_take_graph(const graph_flags& flags);

/// A line that says so where they do not.
void say_if_peers_are_left_out(const graph_flags& flags, report& result);

/// A peer over MPI on the same graph, by as many processes as PEs.
std::vector<std::string> peer_command(const std::string& program, const graph_flags& flags,
                                      const report& result);

}  // namespace atl::app
