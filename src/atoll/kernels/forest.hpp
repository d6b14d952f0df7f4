#pragma once
// Minimum spanning forests of weighted graphs.

#include "atoll/graph.hpp"

#include <compare>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// An exact sum of weights of 64 bits. It has 128 bits and does not overflow.
class total_weight {
 public:
  total_weight() = default;

  /// Makes the whole number `high` * 2^64 + `low`.
  total_weight(std::int64_t high, std::uint64_t low) : high_(high), low_(low) {}

  /// Returns the decimal digits.
  std::string text() const;

  /// Returns the nearest floating-point number.
  double approximate() const;

  /// Returns the number. Throws atl::error (input) if it does not fit 64 bits.
  std::int64_t value() const;

  friend auto operator<=>(const total_weight&, const total_weight&) = default;

 private:
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// Seconds that PE 0 spent in each step of finding a forest.
struct forest_phases {
  double filter = 0;    ///< each PE discards the heaviest edges of cycles
  double build = 0;     ///< edges are sent to the PEs of their vertices
  double contract = 0;  ///< trees are joined by their lightest edges
  double ghosts = 0;    ///< PEs exchange which trees have been joined
  double merge = 0;     ///< PEs of a group merge their parts
  double ring = 0;      ///< edges between trees are passed around all PEs
  double post = 0;      ///< one PE finishes the rest
};

/// Options of finding a forest.
struct forest_options {
  progress_view progress = {};  ///< called for "spanning" with the part that is done
};

/// A minimum spanning forest: one tree for each connected component. A small trivially copyable
/// value to capture and send. All functions throw atl::error (input), with the line of the call, if
/// the forest was destroyed.
struct spanning_forest {
  std::uint64_t trees = 0;  ///< components of the graph, single vertices included
  total_weight weight;      ///< sum over all edges of the forest

  double seconds = 0;            ///< time to find it, without making the graph and this result
  std::uint64_t edges_left = 0;  ///< edges of the input that remain after filter and duplicates
  std::uint64_t iterations = 0;  ///< rounds over all PEs
  unsigned id_bits = 32;         ///< bits of vertices, edges and weights while it was computed
  forest_phases spent;

  /// The edges of the forest, smaller end first, sorted by their ends.
  global_array<weighted_edge> edges;

  /// Returns the edges of the forest on the PE of the calling task. Tasks of any PEs may call it,
  /// also at the same time. Suspends the task.
  task<std::vector<weighted_edge>> gather(site where = site::current()) const;

  /// Writes a file with one row per edge: its ends and its weight. Formats: `.csv`, with titles,
  /// `.tsv` and `.txt`, which contain the names of vertices if they have names. If they have none,
  /// also other formats that list edges, such as `.wel`, or `.el`, which has no weights. Each also
  /// as `.gz` or `.zst`.
  ///
  /// A task of PE 0 calls it and waits. If vertices have names, the graph must still exist. Throws
  /// atl::error: input on another PE, and if the path tells no such format or cannot be written;
  /// environment if the disk is full.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the forest. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the file of `write`. Every PE calls it with the same path and waits. Throws as `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the forest. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;

 private:
  friend struct forest_lives;

  memory::lifetime of_edges_, of_graph_;
  vertex_names names_;
  bool has_names_ = false;
};

/// Throws atl::error (input) if `spanning_forest::write` could not write this file, as far as that
/// is known in advance. The reason is a name that tells no format, a format that cannot hold the
/// names of vertices, or a path that cannot be written. Any process may call it; the call does not
/// communicate.
void check_forest_file(const std::string& path, bool vertices_have_names);

/// Returns the bytes of each of the three buffers that a PE has while a forest of `edges` edges is
/// found on `pes` PEs.
double forest_buffer_bytes(std::uint64_t edges, double pes);

/// Returns whether a file of this name contains weights. Throws atl::error (input) if the name
/// tells no format.
bool forest_file_has_weights(const std::string& path);

/// Finds the minimum spanning forest over all PEs. Edges have no direction. Of edges with equal
/// weight, the one with the smaller ends is preferred, so the forest is the same for any number of
/// PEs. One task calls it and waits. Throws atl::error: input if edges have no weights or the graph
/// does not keep them; out_of_memory.
task<spanning_forest> minimum_spanning_forest(global_graph graph, forest_options options = {},
                                              site where = site::current());

/// Finds the minimum spanning forest, as `minimum_spanning_forest` does. Every PE calls it with the
/// same graph and waits; all get the same result. Throws as `minimum_spanning_forest`.
task<spanning_forest> all_minimum_spanning_forest(global_graph graph, forest_options options = {},
                                                  site where = site::current());

/// Finds the forest of one graph any number of times in the same memory, for benchmarks. One task
/// calls its functions and waits.
class repeated_forests {
 public:
  /// Allocates the memory. Throws as `minimum_spanning_forest`.
  static task<repeated_forests> make(global_graph graph, site where = site::current());

  /// Finds the forest as `minimum_spanning_forest` does.
  task<spanning_forest> find(forest_options options = {}, site where = site::current());

  /// Frees the memory. Is called once; forests that were found stay.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares a forest, edge by edge, with the result of Kruskal's algorithm on the PE of the calling
/// task, which needs memory for all edges. One task calls it and waits. Throws atl::error:
/// wrong_result, which names an edge and its fault; input if the forest is of another graph.
task<> verify(global_graph graph, spanning_forest found, site where = site::current());

/// Checks a forest, as `verify` does. Every PE calls it with the same arguments and waits. Throws
/// as `verify`.
task<> all_verify(global_graph graph, spanning_forest found, site where = site::current());

/// Finds the minimum spanning forest of `edges` by Kruskal's algorithm on the calling thread.
/// Returns the same edges as `spanning_forest::edges`: smaller end first, sorted by their ends.
/// Duplicates and self loops are allowed. Needs memory for all edges twice, and for vertices up to
/// the largest end. Any process may call it; the call does not communicate. Throws atl::error
/// (input) for an end above `largest_vertex`, and std::bad_alloc.
std::vector<weighted_edge> serial_spanning_forest(std::vector<weighted_edge> edges);

}  // namespace atl
