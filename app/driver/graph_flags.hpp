#pragma once
// Declares the flags that choose the graph of a command. The graph is a file of edges or, in
// benchmarks, a random graph.

#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/random_graph.hpp"

#include <string>
#include <vector>

namespace atl::app {

struct graph_flags {
  benchmark_flags common;
  /// Files of the graph; if there is no file of edges, the graph is random.
  graph_files files;
  /// Parameters of the random graph; the seed is also used for other random choices.
  generator_parameters random;
  bool wide_ids = false;  ///< whether ids are stored in 64 bits even if 32 bits suffice
  std::string output;     ///< path of the file of --output; empty if not given

  bool generated() const { return files.edges.empty(); }

  /// Returns the path of the file with the graph. For a random graph, returns the flags that
  /// describe the graph, such as "--scale 20 --edge-factor 16".
  std::string name() const;
};

/// Adds GRAPH, --from, --skip-lines, --names and --compact. If the command is a benchmark, the
/// function adds the flags of random graphs. `flags` must live as long as the command.
void add_graph_flags(CLI::App& command, graph_flags& flags);

/// Opens the files of edges and of names. This function must be called before the file of edges or
/// the file of names is read (see app/flags.hpp).
void open_input(graph_flags& flags);

void add_graph_parameters(report& result, const graph_flags& flags);

/// Throws `error` (input) if the flags do not describe a graph.
void check_graph_flags(const graph_flags& flags);

/// Adds --kind, --scale, --vertices, --edge-factor and --edges-per-vertex. `graph` must live as
/// long as the command.
std::vector<flag> add_random_graph_flags(CLI::App& command, generator_parameters& graph);

/// Returns "kronecker", "uniform" or "web".
std::string name_of(graph_kind kind);

/// Returns the flags of the graph without the seed: {"--kind", "web", "--scale", "20",
/// "--edge-factor", "16"}. For a Kronecker graph, the flag --kind is left out.
std::vector<std::string> words_of(const generator_parameters& graph);

/// Returns whether limit programs accept the graph. Limit programs (plain programs that do the same
/// memory work as a kernel) accept Kronecker graphs of limited size, and plain .el files.
bool limit_takes_graph(const graph_flags& flags);

/// Returns the command that runs a limit program on the graph of the benchmark, with the cores that
/// the job uses.
std::vector<std::string> limit_command(const std::string& program, const graph_flags& flags,
                                       const report& result);

/// Returns whether the peers accept the graph. The peers (programs with other libraries over MPI)
/// accept only generated Kronecker graphs, of at most 2^30 edges.
bool peers_take_graph(const graph_flags& flags);

/// If the peers, programs with other libraries over MPI, do not accept the graph, adds a line to
/// `result` that says so.
void say_if_peers_are_left_out(const graph_flags& flags, report& result);

/// Returns the command that runs a peer, a program with another library over MPI, on the graph of
/// the benchmark. The peer program runs as many MPI processes as the job of the benchmark has PEs.
std::vector<std::string> peer_command(const std::string& program, const graph_flags& flags,
                                      const report& result);

}  // namespace atl::app
