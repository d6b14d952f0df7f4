#pragma once
// Minimum spanning forests of graphs with weights.

#include "atoll/graph.hpp"

#include <compare>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// An exact sum of 64-bit weights. The sum has 128 bits, so it does not overflow.
class total_weight {
 public:
  total_weight() = default;

  /// Makes the number `high` * 2^64 + `low`.
  total_weight(std::int64_t high, std::uint64_t low) : high_(high), low_(low) {}

  /// Returns the number in decimal digits.
  std::string text() const;

  /// Returns the nearest floating-point number.
  double approximate() const;

  /// Returns the number. Throws atl::error (input) if the number needs more than 64 bits.
  std::int64_t value() const;

  friend auto operator<=>(const total_weight&, const total_weight&) = default;

 private:
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// Duration in seconds of each step, on the PE of the task that asked for the forest.
struct forest_phases {
  double filter = 0;    ///< each PE discards the heaviest edge of each cycle among its edges
  double build = 0;     ///< edges are sent to the owners of their vertices
  double contract = 0;  ///< each PE joins its trees by their lightest edges
  double ghosts = 0;    ///< PEs tell each other which trees were joined
  double merge = 0;     ///< of several edges between two trees, all but the lightest are dropped
  double ring = 0;      ///< some trees move, with their edges, to the next PE of a ring
  double post = 0;      ///< PEs send their trees to one PE, or PE 0 finds the whole forest
};

/// Options for finding a forest.
struct forest_options {
  /// Is called with the name "spanning" and the fraction of the work that is done.
  progress_view progress = {};
};

/// A minimum spanning forest: one tree for each connected component. The object is a small
/// trivially copyable value, which a program can capture and send. If the forest has been
/// destroyed, every member function throws atl::error (input) that names the line of the call.
struct spanning_forest {
  /// Number of trees. Every component of the graph has one tree, also a component of one vertex.
  std::uint64_t trees = 0;
  total_weight weight;  ///< sum over all edges of the forest

  /// Time to find the forest, in seconds, without the time to make the graph and this result.
  double seconds = 0;
  /// Number of edges that are left after each PE has filtered its edges, without self loops and
  /// duplicates. If PE 0 found the forest alone, duplicates on different PEs are counted more than
  /// once.
  std::uint64_t edges_left = 0;
  std::uint64_t iterations = 0;  ///< number of rounds in which all PEs take part
  /// Number of bits of a vertex, an edge and a weight during the computation: 32 or 64.
  unsigned id_bits = 32;
  forest_phases spent;

  /// The edges of the forest. The smaller endpoint of an edge is first, and edges are sorted by
  /// their endpoints.
  global_array<weighted_edge> edges;

  /// Returns the edges of the forest on the PE of the calling task. Tasks of any PEs may call this
  /// function, also at the same time. The call suspends the task.
  task<std::vector<weighted_edge>> gather(site where = site::current()) const;

  /// Writes a file with one row per edge: its endpoints and its weight. The extension of the file
  /// name selects the format. A `.csv` file has column titles. If vertices have names, the format
  /// must be `.csv`, `.tsv` or `.txt`, and the file contains the names. If vertices have no names,
  /// other formats that list edges are possible as well: for example `.wel`, or `.el`, which has no
  /// weights. Each format can be compressed as `.gz` or `.zst`.
  ///
  /// A task of PE 0 calls this function and waits. If vertices have names, the graph must still
  /// exist. Throws atl::error (input) if another PE calls this function, if the file name belongs
  /// to no format that lists edges, or if the path cannot be written. Throws atl::error
  /// (environment) if the disk is full.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the forest. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the forest. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;

 private:
  friend struct forest_lives;

  memory::lifetime of_edges_, of_graph_;
  vertex_names names_;
  bool has_names_ = false;
};

/// Checks in advance whether `spanning_forest::write` can write the file `path`. Throws atl::error
/// (input) if the file name belongs to no known format, if the format cannot hold the names of
/// vertices, or if the path cannot be written. Any process may call this function. The call does
/// not communicate.
void check_forest_file(const std::string& path, bool vertices_have_names);

/// Returns the size in bytes of a buffer for messages. While `pes` PEs find the forest of a graph
/// with `edges` edges, each PE has three buffers of this size.
double forest_buffer_bytes(std::uint64_t edges, double pes);

/// Returns whether a file of this name contains weights. Throws atl::error (input) if the file name
/// belongs to no known format.
bool forest_file_has_weights(const std::string& path);

/// Finds the minimum spanning forest over all PEs. Edges have no direction. Edges of equal weight
/// are ordered by their smaller endpoints, and then by their larger endpoints. The forest is
/// therefore the same for any number of PEs. One task calls this function and waits. Throws
/// atl::error (input) if edges have no weights, or if the graph does not keep the edges. Throws
/// atl::error (out_of_memory) if memory is exhausted.
task<spanning_forest> minimum_spanning_forest(global_graph graph, forest_options options = {},
                                              site where = site::current());

/// Finds the minimum spanning forest, as `minimum_spanning_forest` does. Every PE calls this
/// function with the same graph and waits. Every PE gets the same result. Throws the errors of
/// `minimum_spanning_forest`.
task<spanning_forest> all_minimum_spanning_forest(global_graph graph, forest_options options = {},
                                                  site where = site::current());

/// Finds the forest of one graph any number of times in the same memory. Benchmarks use this class.
/// One task calls the functions of the object and waits.
class repeated_forests {
 public:
  /// Allocates the memory. Throws the errors of `minimum_spanning_forest`.
  static task<repeated_forests> make(global_graph graph, site where = site::current());

  /// Finds the forest, as `minimum_spanning_forest` does. The caller destroys the forest.
  task<spanning_forest> find(forest_options options = {}, site where = site::current());

  /// Frees the memory. The caller must call this function only once. Forests that `find` has
  /// returned remain valid.
  task<> destroy(site where = site::current());

 private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Compares a forest, edge by edge, with the result of Kruskal's algorithm. The algorithm runs on
/// the PE of the calling task, which needs memory for all edges. One task calls this function and
/// waits. If the forest is wrong, throws atl::error (wrong_result) that names a wrong edge and its
/// fault. Throws atl::error (input) if the forest belongs to another graph.
task<> verify(global_graph graph, spanning_forest found, site where = site::current());

/// Checks a forest, as `verify` does. Every PE calls this function with the same arguments and
/// waits. Throws the errors of `verify`.
task<> all_verify(global_graph graph, spanning_forest found, site where = site::current());

/// Finds the minimum spanning forest of `edges` by Kruskal's algorithm on the calling thread.
/// Returns the edges in the form of `spanning_forest::edges`: the smaller endpoint is first, and
/// edges are sorted by their endpoints. `edges` may contain duplicates and self loops. The call
/// needs memory for two copies of all edges, and for all vertices up to the largest endpoint. Any
/// process may call this function. The call does not communicate. Throws atl::error (input) for an
/// endpoint above `largest_vertex`. Throws std::bad_alloc if memory is exhausted.
std::vector<weighted_edge> serial_spanning_forest(std::vector<weighted_edge> edges);

}  // namespace atl
