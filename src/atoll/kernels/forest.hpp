#pragma once
// Minimum spanning forests of graphs with weights.

#include "atoll/graph.hpp"

#include <compare>
#include <string>
#include <vector>

namespace atl {

/// A sum of weights of 64 bits, exact whatever they are: 128 bits.
class total_weight {
 public:
  total_weight() = default;

  /// The whole number `high` * 2^64 + `low`.
  total_weight(std::int64_t high, std::uint64_t low) : high_(high), low_(low) {}

  /// Its digits.
  std::string text() const;

  /// The nearest floating-point number.
  double approximate() const;

  /// The number itself. Throws atl::error (input) where 64 bits do not hold it.
  std::int64_t value() const;

  friend auto operator<=>(const total_weight&, const total_weight&) = default;

 private:
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// Seconds that PE 0 spent in the steps of finding a forest.
struct forest_phases {
  double filter = 0;    ///< heavy edges of cycles on one PE are left out
  double build = 0;     ///< edges travel to the PEs of their vertices
  double contract = 0;  ///< the lightest edges of trees are taken
  double ghosts = 0;    ///< PEs tell each other which trees are one now
  double merge = 0;     ///< PEs of a group join their parts
  double ring = 0;      ///< edges between trees travel round the PEs
  double post = 0;      ///< one PE finishes what is left
};

/// How a forest is found.
struct forest_options {
  progress_view progress = {};  ///< hears, for "spanning", which part of it is done
};

/// A minimum spanning forest: a tree for each connected component. Small and trivially copyable:
/// capture it, send it. All calls throw atl::error (input), with their line, where it was
/// destroyed.
struct spanning_forest {
  std::uint64_t trees = 0;  ///< components of the graph, those of a single vertex included
  total_weight weight;      ///< of all edges of the forest

  double seconds = 0;            ///< that finding it took, without the graph and this result
  std::uint64_t edges_left = 0;  ///< of the input behind filter and duplicates
  std::uint64_t iterations = 0;  ///< rounds over all PEs
  unsigned id_bits = 32;         ///< of vertices, edges and weights while it was found
  forest_phases spent;

  /// The edges, the smaller end first, in the order of their ends.
  global_array<weighted_edge> edges;

  /// The edges of the forest on the PE of the task that calls it. Any PE, and several at once.
  /// Blocks the task.
  task<std::vector<weighted_edge>> gather(site where = site::current()) const;

  /// Writes a row for each edge, its ends and its weight: `.csv`, with titles, `.tsv` or `.txt`, by
  /// the names that vertices have; or, where they have none, another format of lists of edges, such
  /// as `.wel`, or `.el`, which has no place for weights. Also as `.gz` or `.zst`. A task of PE 0
  /// calls it; the graph must be there still where vertices have names. Blocks the task. Throws
  /// atl::error: input on another PE, and where the path does not say such a format or cannot be
  /// written; environment where the disk is full.
  task<> write(std::string path, site where = site::current()) const;

  /// Gives the memory back. One task, once.
  task<> destroy(site where = site::current()) const;

  /// The same. Every PE calls them, with the same arguments.
  task<> all_write(std::string path, site where = site::current()) const;
  task<> all_destroy(site where = site::current()) const;

 private:
  friend struct forest_lives;

  memory::lifetime of_edges_, of_graph_;
  vertex_names names_;
  bool has_names_ = false;
};

/// Throws atl::error (input) where `spanning_forest::write` could not write this file, as far as
/// one can tell before: its name says no format, the format has no place for the names of vertices,
/// or nobody may write there. Any process; does not communicate.
void check_forest_file(const std::string& path, bool vertices_have_names);

/// Whether a file of this name has weights. Throws likewise where the name says no format.
bool forest_file_has_weights(const std::string& path);

/// Finds the forest over all PEs. Of edges of equal weight the one with the smaller ends comes
/// first, so the forest is the same for any number of PEs; edges have no direction. The graph has
/// weights and keeps its edges. One task calls it. Blocks the task. Throws atl::error: input where
/// edges have no weights or are not kept, out_of_memory.
task<spanning_forest> minimum_spanning_forest(global_graph graph, forest_options options = {},
                                              site where = site::current());

/// The same. Every PE calls it, with the same graph; all get the same.
task<spanning_forest> all_minimum_spanning_forest(global_graph graph, forest_options options = {},
                                                  site where = site::current());

/// Compares a forest, edge by edge, with the one that Kruskal's algorithm finds on the PE of the
/// task, which needs memory for all edges. Blocks the task. Throws atl::error: wrong_result that
/// names an edge and what is wrong with it; input where the forest is of another graph.
task<> verify(global_graph graph, spanning_forest found, site where = site::current());

/// The same. Every PE calls it, with the same arguments.
task<> all_verify(global_graph graph, spanning_forest found, site where = site::current());

/// The edges of the minimum spanning forest of some edges, found by Kruskal's algorithm on the
/// calling thread alone: those of `spanning_forest::edges`, the smaller end first, in the order of
/// their ends. Edges may occur twice and lead from a vertex to itself. Takes memory for all edges
/// twice, and for vertices up to the largest end. Any process; does not communicate. Throws
/// atl::error (input) for an end above `largest_vertex`, std::bad_alloc.
std::vector<weighted_edge> serial_spanning_forest(std::vector<weighted_edge> edges);

}  // namespace atl
