#pragma once
// This header declares graphs that are distributed over all PEs (processing elements, the processes
// of a job). A graph is read from a file, or made of edges that the program has. The algorithms in
// atoll/kernels/ take such graphs as arguments. Programs may also visit the neighbours of vertices
// themselves.

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/log.hpp"
#include "atoll/random_graph.hpp"
#include "atoll/sync/by_first_pe.hpp"
#include "atoll/vertex_array.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atl {

/// An edge with a weight.
struct weighted_edge {
  vertex_id from = 0;
  vertex_id to = 0;
  std::int64_t weight = 0;
};

/// An edge with a weight that may be any real number.
struct real_weighted_edge {
  vertex_id from = 0;
  vertex_id to = 0;
  double weight = 0;
};

/// An edge between two vertices that are given by their names.
struct named_edge {
  std::string from;
  std::string to;
};

/// How the numbers at the endpoints of edges identify vertices.
enum class ids : std::uint8_t {
  vertices,  ///< each number is a vertex; the graph has as many vertices as the largest number + 1
  /// Arbitrary ids of 64 bits (48 bits in files). The different ids become the vertices 0, 1, 2,
  /// ... in ascending order of the ids.
  any
};

/// Options for reading or making a graph.
struct graph_options {
  /// If true, an edge becomes an arc from its first endpoint to its second. If false, an edge
  /// becomes arcs in both directions.
  bool directed = false;
  /// In a directed graph, an edge becomes an arc from its second endpoint to its first.
  bool reversed = false;
  atl::ids ids = ids::vertices;
  /// Keeps the list of edges in memory beside the graph. `verify` needs the list to check results,
  /// and a minimum spanning forest is computed from the list.
  bool keep_edges = true;
  /// Stores a weight with each arc. If one arc stands for several edges, the option `parallel`
  /// tells how their weights are combined. `for_each_weighted_neighbour` and shortest paths need
  /// the weights of arcs. PageRank uses the weights if they are stored, and then divides the rank
  /// of a vertex among its arcs in proportion to their weights.
  bool arc_weights = false;
  /// The rule for the weight of an arc that stands for several edges. By default, the weight is the
  /// sum of the weights of these edges. A file of an undirected graph may list an edge in both
  /// directions. In an undirected graph, the weights of edges opposite to the arc are therefore
  /// added only if no edge has the direction of the arc. Shortest paths need the rule
  /// `parallel_edges::least`. Without `arc_weights`, this option has no effect.
  parallel_edges parallel = parallel_edges::add_up;
  /// The number of the column with the weights in a .txt, .tsv or .csv file, at least 3. If the
  /// number is 0, no weights are read. If no column is named, the weights are in the third column,
  /// provided that all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// Number of lines to skip at the beginning of a text file.
  std::optional<std::uint64_t> skip_lines = {};
  /// The path of a file with the names of vertices: line i, counted from 0, is the name of vertex
  /// i. An empty path means that vertices have no names. The characters of the path must stay valid
  /// until the graph has been made.
  std::string_view names = {};
  /// Sorts the neighbours of each vertex in ascending order. By default, each vertex of an
  /// undirected graph has its neighbours of largest degree first, because this order makes searches
  /// faster.
  bool ascending_neighbours = false;
  /// Divides the neighbours of each vertex of very large degree over all PEs. The division balances
  /// the work of the algorithms in atoll/kernels/. A program cannot visit the neighbours of a
  /// vertex whose neighbours are divided.
  bool divide_hubs = false;
  bool wide_ids = false;  ///< store the ids of neighbours in 64 bits, even if 32 bits suffice
  /// Keeps only the list of edges, and does not build lists of neighbours. A minimum spanning
  /// forest is computed from the edges alone.
  bool edges_only = false;
  progress_view progress = {};
};

/// The size of the part of the graph on one PE.
struct part_statistics {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;   ///< number of pairs (vertex, neighbour)
  std::uint64_t bytes = 0;  ///< memory for vertices and arcs, in bytes
};

/// The cost of making a graph, and its layout.
struct graph_statistics {
  double read_seconds = 0;  ///< time to read the file
  /// Part of `read_seconds` that was spent on finding where the parts of a BVGraph or of a METIS
  /// file begin.
  double scan_seconds = 0;
  double build_seconds = 0;  ///< time to build the graph from the edges in memory
  unsigned id_bits = 32;     ///< number of bits that the id of a neighbour takes in memory
  /// Number of vertices whose neighbours are divided over all PEs.
  std::uint64_t hubs = 0;
  std::vector<part_statistics> parts;  ///< indexed by PE

  /// Returns the number of arcs of the whole graph.
  std::uint64_t arcs() const;

  /// Returns the number of arcs of the largest part, divided by the average number per part. If
  /// there are no arcs, returns 1.
  double balance() const;
};

/// A graph that is distributed over all PEs. The object is a small trivially copyable handle, which
/// can be captured and sent. Each PE owns a range of consecutive vertices and stores their
/// neighbours. Duplicate edges and self loops are counted by `edges`, but they add no neighbours.
///
/// Any PE may call the functions below. Only functions that return a task communicate. If the graph
/// was destroyed, functions that use vertices throw atl::error (input) with the line of the call.
class global_graph {
 public:
  std::uint64_t vertices() const { return vertices_; }

  /// Returns the number of edges of the input, with duplicates and self loops.
  std::uint64_t edges() const { return edges_; }

  bool is_directed() const { return is_directed_; }

  /// Returns whether weights of edges were read. The weights are stored with the kept edges or with
  /// the arcs.
  bool has_weights() const { return has_weights_; }

  /// Returns the rule for the weight of an arc that stands for several edges. If arcs have no
  /// weights, the result has no meaning.
  parallel_edges parallel() const { return parallel_; }

  /// Returns the cost of making the graph, and its layout. One task calls this function and
  /// waits.
  task<graph_statistics> statistics(site where = site::current()) const;

  /// Returns the PE that owns the vertex. Does not communicate. Throws atl::error (input) if the
  /// graph has no such vertex.
  int owner_of(vertex_id vertex, site where = site::current()) const;

  /// Returns the smallest vertex that this PE owns. The PE owns the `local_vertices()` consecutive
  /// vertices from there on. Does not communicate.
  vertex_id first_vertex(site where = site::current()) const {
    check(where);
    return layout_->shape.begin(my_pe());
  }
  /// Returns the number of vertices that this PE owns. Does not communicate.
  std::uint64_t local_vertices(site where = site::current()) const {
    check(where);
    return layout_->vertices_of(my_pe());
  }

  /// Returns the number of different neighbours of a vertex that this PE owns. In a directed graph,
  /// the neighbours are the targets of the arcs of the vertex. Does not communicate. Throws
  /// atl::error (input) if another PE owns the vertex, or if the neighbours of the vertex are
  /// divided (`graph_options::divide_hubs`).
  std::uint64_t degree(vertex_id vertex, site where = site::current()) const;

  /// Calls `visit(neighbour)` for each neighbour of a vertex that this PE owns. Does not
  /// communicate. Throws the errors of `degree`.
  template <class Visit>
  void for_each_neighbour(vertex_id vertex, Visit&& visit, site where = site::current()) const {
    const std::uint64_t row = row_of(vertex, where);
    on_ids([&](auto rows) {
      for (const auto neighbour : rows->row(row)) visit(vertex_id{neighbour});
    });
  }

  /// Calls `visit(neighbour, weight)` for each neighbour of a vertex that this PE owns. Does not
  /// communicate. Throws the errors of `degree`, and atl::error (input) if arcs have no weights
  /// (`graph_options::arc_weights`).
  template <class Visit>
  void for_each_weighted_neighbour(vertex_id vertex, Visit&& visit,
                                   site where = site::current()) const {
    if (!has_arc_weights_) refuse_without_arc_weights(where);
    const std::uint64_t row = row_of(vertex, where);
    on_ids([&](auto rows) {
      const auto weights = rows->weights_of_row(row);
      std::size_t i = 0;
      for (const auto neighbour : rows->row(row)) visit(vertex_id{neighbour}, weights[i++]);
    });
  }

  /// Returns the vertex that has this name. Returns no value if there is no such vertex. If
  /// vertices have no names, `name` is the number of the vertex. If the graph was made with
  /// `ids::any`, `name` is the id of the vertex in the input. Suspends the task.
  task<std::optional<vertex_id>> find(std::string name, site where = site::current()) const;

  /// Returns the vertex that has this name, like `find`. Suspends the task. Throws atl::error
  /// (input) if there is no such vertex.
  task<vertex_id> vertex_called(std::string name, site where = site::current()) const;

  /// Returns the name of the vertex as files show it. If the vertex has no name, returns the number
  /// of the vertex. Suspends the task.
  task<std::string> name_of(vertex_id vertex, site where = site::current()) const;

  /// Frees the memory of the graph on all PEs. One task calls this function, once, and waits.
  /// Afterwards, vertex arrays of the graph may only be destroyed. Throws atl::error (input) if the
  /// graph was destroyed before.
  task<> destroy(site where = site::current()) const;

  /// Frees the memory of the graph on all PEs, like `destroy`. Every PE calls this function and
  /// waits.
  task<> all_destroy(site where = site::current()) const;

  // The members below are for the algorithms in atoll/kernels/.

  /// Calls `function(rows)`, where `rows` is the `per_pe` handle of the parts of the graph on all
  /// PEs. The ids of neighbours have 32 bits or 64 bits, so `function` must be a template.
  template <class Function>
  decltype(auto) on_ids(Function&& function) const {
    return is_wide_ ? function(wide_) : function(narrow_);
  }
  per_pe<graph::vertex_layout> layout() const { return layout_; }
  vertex_names names() const { return names_; }

  /// Returns the handle of the lists of edges that the PEs have kept. Throws atl::error (input) if
  /// edges were not kept (`graph_options::keep_edges`). The error says that `what_for` needs the
  /// edges.
  per_pe<stored_edges> kept_edges(std::string_view what_for, site where) const;
  bool keeps_edges() const { return keeps_edges_; }

  /// Returns an object that can be asked later whether the graph still exists.
  memory::lifetime life() const { return life_; }

  /// Throws atl::error (input) if the graph was destroyed, or if the handle is empty.
  void check(site where) const { life_.check("the graph", where); }

  /// Throws atl::error (input) if the graph was destroyed, if the handle is empty, or if the graph
  /// has no lists of neighbours (`graph_options::edges_only`).
  void check_neighbours(site where) const {
    check(where);
    if (edges_only_) refuse_without_neighbours(where);
  }

  /// Throws the errors of `check_neighbours`. Throws atl::error (input) also if the neighbours of
  /// some vertices are divided over all PEs (`graph_options::divide_hubs`). The error says that
  /// `what_for` needs undivided neighbours.
  void check_whole_rows(std::string_view what_for, site where) const;
  bool has_wide_ids() const { return is_wide_; }

  /// Throws atl::error (input) if `result` belongs to another graph, or if the graph or `result`
  /// was destroyed.
  template <class T>
  void check_result(const vertex_array<T>& result, site where) const {
    check(where);
    if (result.size() != vertices_) refuse_result(result.size(), where);
    result.check(where);
    check_graph_of_result(result.life_of_graph(), where);
  }
  void check_graph_of_result(const memory::lifetime& of_result, site where) const {
    if (of_result != life_) refuse_result_of_another(where);
  }
  bool has_arc_weights() const { return has_arc_weights_; }

  /// Returns whether the file has weights that were not read, because no option asked for them.
  bool leaves_out_weights() const { return leaves_out_weights_; }

  /// Returns a text such as "FILE:LINE:COLUMN: weight '-3' is below 0" for the first negative
  /// weight of the file that was read. Returns an empty text if no weight is negative.
  std::string negative_weight() const {
    return stored_->negative_weight ? stored_->negative_weight->what() : "";
  }

 private:
  friend class graph_builder;

  std::uint64_t row_of(vertex_id vertex, site where) const;
  [[noreturn]] static void refuse_without_arc_weights(site where);
  [[noreturn]] static void refuse_without_neighbours(site where);
  [[noreturn]] void refuse_result(std::uint64_t size, site where) const;
  [[noreturn]] static void refuse_result_of_another(site where);

  per_pe<graph_part<std::uint32_t>> narrow_;
  per_pe<graph_part<std::uint64_t>> wide_;
  per_pe<graph::vertex_layout> layout_;
  per_pe<stored_edges> stored_;
  vertex_names names_;
  memory::lifetime life_;
  std::uint64_t vertices_ = 0;
  std::uint64_t edges_ = 0;
  bool is_wide_ = false;
  bool is_directed_ = false;
  bool has_weights_ = false;
  bool leaves_out_weights_ = false;
  bool has_arc_weights_ = false;
  parallel_edges parallel_ = parallel_edges::add_up;
  bool keeps_edges_ = false;
  bool divides_hubs_ = false;
  bool edges_only_ = false;
};

/// What the reader found out about a file.
struct reading_notes {
  std::vector<std::string> remarks;  ///< sentences for the user about how the file was understood
  bool undirected = false;           ///< whether the file says that its edges have no direction
  std::uint64_t weight_column =
      0;  ///< the number of the column with the weights, in a text file; 0 if there is none
  /// Largest number of unused columns in a line of the file.
  std::uint64_t columns_left_out = 0;
  /// The description of the first weight that could not be kept. The text is empty if all weights
  /// were kept.
  std::string why_no_weights;
};

/// Builds a graph in steps, for programs that inspect the input before they build the graph. One
/// task calls `make` and then `read` or `generate`. The last call is `build`, or `discard` if no
/// graph is needed. All functions of this class that return a task suspend the calling task.
class graph_builder {
 public:
  /// Makes an empty builder. Suspends the task.
  static task<graph_builder> make(graph_options options);

  /// Reads the edges of a file. Every PE reads a part of the file. Suspends the task. Throws the
  /// errors of `read_graph`.
  task<> read(std::string path);
  /// Reads the edges of `files`. Every PE reads a part of the files. Suspends the task. Throws the
  /// errors of `read_graph`.
  task<> read(graph_files files);

  /// Uses the edges of a random graph. Edges are not stored: each PE generates its edges again
  /// whenever the edges are visited. Suspends the task. Throws atl::error (input) if a parameter is
  /// out of range.
  task<> generate(generator_parameters of);

  /// Returns the options that `build` will use. The program may change the options before `build`.
  graph_options& options() { return options_; }

  // Properties of the input. The values are valid after `read` or `generate`.
  std::uint64_t vertices() const { return made_.vertices_; }
  std::uint64_t edges() const { return made_.edges_; }
  bool has_weights() const { return made_.has_weights_; }
  vertex_names names() const { return made_.names_; }
  const reading_notes& notes() const { return notes_; }

  /// Replaces the weight of each edge by a hash of the two endpoints and of `seed`. Edges that had
  /// no weight get such a weight too. If `largest` is 0, weights are numbers of 32 bits. If
  /// `largest` is above 0, weights are numbers from 1 to `largest`. Suspends the task.
  task<> hash_weights(std::uint64_t seed, std::uint32_t largest = 0);

  /// Returns the smallest and the largest weight of all edges, or 0 and 0 if there are no edges.
  /// Integers beyond 2^53 are rounded. Suspends the task.
  task<std::pair<double, double>> weight_range() const;

  /// Builds the graph of the input. Suspends the task. Throws the errors of `make_graph`.
  task<global_graph> build();

  /// Frees the memory of the input. A program that does not call `build` calls this function
  /// instead. Suspends the task.
  task<> discard();

  /// Returns the handle of the lists of edges of all PEs. Each PE may add edges to its list before
  /// `settle` is called.
  per_pe<stored_edges> stored() const { return stored_; }

  /// Completes the input after the PEs have added their edges: counts the edges and vertices. A
  /// graph without names has at least `least_vertices` vertices, even if the last ones have no
  /// edges. One task calls this function and waits. Throws atl::error (input) if an endpoint of an
  /// edge is too large for a vertex.
  task<> settle(std::uint64_t least_vertices = 0);

 private:
  template <class Id>
  task<per_pe<graph_part<Id>>> rows() const;
  template <class Id>
  task<per_pe<graph_part<Id>>> empty_rows() const;
  void check_options() const;
  void check_memory() const;

  graph_options options_;
  global_graph made_;
  per_pe<stored_edges> stored_;
  reading_notes notes_;
  std::string file_;
  double read_seconds_ = 0;
  double scan_seconds_ = 0;
};

/// Adds edges to the lists of a `graph_builder`. The endpoints of the edges are names. The elements
/// 2 i and 2 i + 1 of `ends` are the endpoints of edge i. `weights` has one weight per edge, or is
/// empty. If `kind` is `real`, weights are the bits of doubles. `to` and `names` are handles of the
/// builder (`stored`, `names`). Every PE calls this function once, with its own edges, and waits.
/// The characters of the names must stay valid during the call. If a name is empty or has a line
/// break, all PEs throw atl::error (input).
task<> all_add_named_edges(per_pe<stored_edges> to, vertex_names names,
                           std::span<const std::string_view> ends,
                           std::span<const std::int64_t> weights = {},
                           weight_kind kind = weight_kind::integer);

/// Reads a graph from a file. The file may have any format that `atoll info` knows. Every PE reads
/// a part of the file. In text formats except METIS, weights may be real numbers. One task calls
/// this function and waits. If a file is invalid, throws atl::error (input), which names the place
/// in the file. If memory is exhausted, throws atl::error (out_of_memory).
task<global_graph> read_graph(std::string path, graph_options options = {},
                              site where = site::current());

/// Reads a graph from a file. Every PE calls this function and waits. The arguments of PE 0 are
/// used, and all PEs get the same graph. Throws the errors of `read_graph`.
task<global_graph> all_read_graph(std::string path, graph_options options = {},
                                  site where = site::current());

/// Makes a graph of the edges in an array. The array may be destroyed afterwards. One task calls
/// this function and waits. Throws atl::error (input) if an endpoint is 2^48 or more, because
/// vertices have 48 bits. Throws atl::error (out_of_memory) if memory is exhausted.
task<global_graph> make_graph(global_array<edge> edges, graph_options options = {},
                              site where = site::current());
/// Makes a graph of the weighted edges in an array. The array may be destroyed afterwards. One task
/// calls this function and waits. Throws the same errors as `make_graph` for edges without weights.
task<global_graph> make_graph(global_array<weighted_edge> edges, graph_options options = {},
                              site where = site::current());

/// Makes a graph of the edges with real weights in an array. The array may be destroyed afterwards.
/// A minimum spanning forest needs integer weights. One task calls this function and waits.
/// Throws the same errors as `make_graph` for edges without weights.
task<global_graph> make_graph(global_array<real_weighted_edge> edges, graph_options options = {},
                              site where = site::current());

/// A function that returns the edge with the number i, as an `edge`, a `weighted_edge` or a
/// `real_weighted_edge`.
template <class Function>
concept edge_function =
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, edge> ||
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, weighted_edge> ||
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, real_weighted_edge>;

/// Makes a graph of `count` edges, where the edge with the number i is `edge_at(i)`. `edge_at` must
/// be trivially copyable, because every PE calls it. One task calls this function and waits. Throws
/// atl::error (input) if an endpoint is 2^48 or more, because vertices have 48 bits. Throws
/// atl::error (out_of_memory) if memory is exhausted.
template <edge_function EdgeAt>
task<global_graph> make_graph(std::uint64_t count, EdgeAt edge_at, graph_options options = {},
                              site where = site::current());

/// Makes a graph of the edges that all PEs pass as `mine`. Every PE calls this function with the
/// same options and waits; all PEs get the same graph. Throws the same error on every PE. The error
/// is atl::error (input) if an endpoint is 2^48 or more, because vertices have 48 bits. The error
/// is atl::error (out_of_memory) if memory is exhausted.
task<global_graph> all_make_graph(std::span<const edge> mine, graph_options options = {},
                                  site where = site::current());
/// Makes a graph of the weighted edges that all PEs pass as `mine`. Every PE calls this function
/// with the same options and waits. Throws the same errors as `all_make_graph` for edges without
/// weights.
task<global_graph> all_make_graph(std::span<const weighted_edge> mine, graph_options options = {},
                                  site where = site::current());
/// Makes a graph of the edges with real weights that all PEs pass as `mine`. A minimum spanning
/// forest needs integer weights. Every PE calls this function with the same options and waits.
/// Throws the same errors as `all_make_graph` for edges without weights.
task<global_graph> all_make_graph(std::span<const real_weighted_edge> mine,
                                  graph_options options = {}, site where = site::current());

/// Makes a graph of the edges that all PEs pass as `mine`. The endpoints of the edges are names.
/// Every PE calls this function with the same options and waits; all PEs get the same graph. Each
/// different name becomes a vertex. The numbers of the vertices do not depend on the number of PEs,
/// and are not in the order of the names. `find` and `name_of` translate between names and
/// vertices, and files of results contain the names. A name has at least one character and no line
/// break. If a name breaks this rule, all PEs throw atl::error (input). `options.ids` has no
/// effect.
task<global_graph> all_make_graph(std::span<const named_edge> mine, graph_options options = {},
                                  site where = site::current());

/// Makes a random graph. The list of edges takes no memory, because each PE generates its edges
/// again whenever the edges are visited. The weight of an edge is a number of 32 bits: a hash of
/// the two endpoints and of the seed. `options.ids` has no effect. One task calls this function and
/// waits. Throws atl::error (input) if a parameter is out of range. Throws atl::error
/// (out_of_memory) if memory is exhausted.
task<global_graph> make_random_graph(generator_parameters of, graph_options options = {},
                                     site where = site::current());

/// Makes a random graph. Every PE calls this function with the same arguments and waits; all PEs
/// get the same graph. Throws the errors of `make_random_graph`.
task<global_graph> all_make_random_graph(generator_parameters of, graph_options options = {},
                                         site where = site::current());

/// Makes an array with one element for each vertex of the graph. All elements are zero at first.
/// One task calls this function and waits. Throws atl::error (input) if the graph was destroyed.
/// Throws atl::error (out_of_memory) if memory is exhausted.
template <class T>
task<vertex_array<T>> make_vertex_array(global_graph of, elements_are what = elements_are::numbers,
                                        site where = site::current()) {
  of.check(where);
  return vertex_array<T>::make(of.layout(), what, where);
}

/// Makes an array with one element for each vertex of the graph. All elements are zero at first.
/// Every PE calls this function with the same graph and waits; all PEs get the same array. Throws
/// the errors of `make_vertex_array`.
template <class T>
task<vertex_array<T>> all_make_vertex_array(global_graph of,
                                            elements_are what = elements_are::numbers,
                                            site where = site::current()) {
  const auto by_one = [of, what, where] { return make_vertex_array<T>(of, what, where); };
  return all_by_first(by_one, where);
}

}  // namespace atl

#include "atoll/graph/graph_builder.hpp"
