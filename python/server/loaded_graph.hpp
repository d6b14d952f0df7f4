#pragma once
// A graph that stays in memory between the calls of a client.

#include "atoll/graph.hpp"
#include "python/server/answer.hpp"
#include "python/server/arguments.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::serve {

/// Number of edges that a PE copies before other tasks get their turn.
inline constexpr std::uint64_t k_stretch = 1 << 15;

/// A graph, and further forms of the graph that some calls need. A form such as the graph without
/// weights is made when a call first needs it.
class loaded_graph {
 public:
  /// Makes a graph of the arrays `src`, `dst` and `weight` of the call. One task calls this
  /// function and waits. Throws atl::error (input) for a wrong array.
  static task<loaded_graph> of_arrays(arguments& of, progress_view progress);

  /// Reads a graph from the file `path`. One task calls this function and waits. Throws the errors
  /// of `read_graph`.
  static task<loaded_graph> of_file(arguments& of, progress_view progress);

  /// Returns the graph. If the edges have weights, the weight of an arc is the sum of the weights
  /// of its parallel edges.
  global_graph main() const { return main_; }

  /// Returns the graph without weights. The object keeps the returned graph for later calls. One
  /// task calls this function and waits.
  task<global_graph> without_weights();

  /// Returns the graph whose arcs have the smallest weight of parallel edges. If edges have no
  /// weights, returns the graph itself. The object keeps the returned graph for later calls. One
  /// task calls this function and waits.
  task<global_graph> least_weights();

  /// Frees all forms of the graph. One task calls this function, once, and waits.
  task<> destroy();

  /// Adds the size and the kind of the graph to an answer.
  void describe(answer& to) const;

  /// Adds an array with the id of each vertex in the input. If vertices have names, adds an array
  /// with the bytes of all names, and an array with the end of each name. One task calls this
  /// function and waits.
  task<> add_ids(answer& to) const;

  /// Adds an array with the edges that were given, as positions of vertices and with weights. One
  /// task calls this function and waits.
  task<> add_edges(answer& to) const;

  /// Makes a graph of the vertices for which the array `mask` of the call is true, and of all edges
  /// between these vertices. The vertices keep their order in the new graph. One task calls this
  /// function and waits. Throws atl::error (input) for a wrong array.
  task<loaded_graph> subgraph(arguments& of, progress_view progress) const;

  /// Writes the graph to the file `path` of the call. Vertices are written as positions. Adds to
  /// the answer sentences about what the file does not hold. One task calls this function and
  /// waits. Throws the errors of `write_graph`.
  task<> write(arguments& of, answer& to, progress_view progress) const;

  /// Returns the vertex that an argument names, by its id or its name. One task calls this function
  /// and waits. Throws atl::error (input) if there is no such vertex.
  task<vertex_id> vertex(arguments& of, const char* name) const;

 private:
  task<global_graph> rebuilt(graph_options options) const;
  task<descriptor> edges_file() const;

  global_graph main_;
  std::vector<std::string> remarks_;  // sentences for the user about how a file was understood
  std::optional<global_graph> without_weights_, least_weights_;
};

}  // namespace atl::serve
