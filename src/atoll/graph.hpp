#pragma once
// Graphs over all PEs for programs: read from a file, or made of edges that the program has. The
// algorithms in atoll/kernels/ take such graphs. Programs may also visit the neighbours of vertices
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

/// An edge between two names.
struct named_edge {
  std::string from;
  std::string to;
};

/// The meaning of the numbers at the ends of edges.
enum class ids : std::uint8_t {
  vertices,  ///< vertex numbers: the graph has the largest of them + 1 vertices
  any        ///< any numbers of 64 bits (48 in files): the occurring ones become vertices without
             ///< gaps, in ascending order
};

/// Options for reading or making a graph.
struct graph_options {
  bool directed = false;  ///< arcs lead from the first end of an edge to the second; false: both
                          ///< ways
  bool reversed = false;  ///< arcs of a directed graph lead from the second end to the first
  atl::ids ids = ids::vertices;
  /// Keeps the edges in memory beside the graph. `verify` compares results with them, and a minimum
  /// spanning forest is computed from them.
  bool keep_edges = true;
  /// Gives each arc a weight, made of the weights of its edges as `parallel` says.
  /// `for_each_weighted_neighbour` and shortest paths need them, and PageRank then follows each arc
  /// in proportion to its weight.
  bool arc_weights = false;
  /// The weight of an arc for which several edges stand: by default their sum. A file of an
  /// undirected graph may list an edge in both directions. In a sum, an edge in the opposite
  /// direction therefore counts only for arcs without an edge in their own. Shortest paths need the
  /// least. Has no effect without `arc_weights`.
  parallel_edges parallel = parallel_edges::add_up;
  /// Column of weights in a file of `.txt`, `.tsv` or `.csv`, at least 3; 0: weights are not read.
  /// By default the third column, if all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// Number of lines to skip at the beginning of a text file.
  std::optional<std::uint64_t> skip_lines = {};
  /// Path of a file whose line i, counted from 0, is the name of vertex i; "": none. The text must
  /// outlive the call.
  std::string_view names = {};
  /// Sorts the neighbours of each vertex in ascending order. Otherwise, in an undirected graph,
  /// neighbours with the largest degree come first, which makes searches faster.
  bool ascending_neighbours = false;
  /// Divides the neighbours of vertices with very large degree over all PEs, which balances the
  /// algorithms in atoll/kernels/. A program cannot visit the neighbours of those vertices then.
  bool divide_hubs = false;
  bool wide_ids = false;  ///< store neighbours in 64 bits, even if 32 suffice
  /// Keeps only the edges, without the neighbours of vertices: a minimum spanning forest needs no
  /// more.
  bool edges_only = false;
  progress_view progress = {};
};

/// The size of the part of a graph that one PE holds.
struct part_statistics {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;   ///< pairs of a vertex and a neighbour
  std::uint64_t bytes = 0;  ///< memory of vertices and arcs
};

/// The cost of making a graph, and its layout.
struct graph_statistics {
  double read_seconds = 0;             ///< time to read the file
  double scan_seconds = 0;             ///< part of `read_seconds`: finding where the parts of a
                                       ///< BVGraph begin
  double build_seconds = 0;            ///< time to build the graph from the edges in memory
  unsigned id_bits = 32;               ///< bits per neighbour in memory
  std::uint64_t hubs = 0;              ///< vertices whose neighbours are divided over all PEs
  std::vector<part_statistics> parts;  ///< indexed by PE

  /// Returns the number of arcs of all parts.
  std::uint64_t arcs() const;

  /// Returns the number of arcs of the largest part, divided by the average; 1 without arcs.
  double balance() const;
};

/// A graph over all PEs, as a small trivially copyable handle to capture and send. Each PE owns a
/// range of consecutive vertices, with the neighbours of each. Duplicate edges and self loops count
/// in `edges`, but do not become neighbours.
///
/// Any PE may call the functions below; those that do not return a task do not communicate. All
/// functions that use vertices throw atl::error (input), with the line of the call, if the graph
/// was destroyed.
class global_graph {
 public:
  std::uint64_t vertices() const { return vertices_; }

  /// Returns the number of edges of the input, duplicates and self loops included.
  std::uint64_t edges() const { return edges_; }

  bool is_directed() const { return is_directed_; }

  /// Returns whether the edges of the input have weights that were read. They are kept with the
  /// edges, or the arcs have them.
  bool has_weights() const { return has_weights_; }

  /// Returns which weight the arcs have where several edges stand for one; it means nothing without
  /// arc weights.
  parallel_edges parallel() const { return parallel_; }

  /// Returns the cost of making the graph, and its layout. One task calls it and waits.
  task<graph_statistics> statistics(site where = site::current()) const;

  /// Returns the PE that owns the vertex. Does not communicate. Throws atl::error (input) if there
  /// is no such vertex.
  int owner_of(vertex_id vertex, site where = site::current()) const;

  /// Returns the first of the `local_vertices` consecutive vertices that this PE owns. Does not
  /// communicate.
  vertex_id first_vertex(site where = site::current()) const {
    check(where);
    return layout_->shape.begin(my_pe());
  }
  /// Returns the number of vertices that this PE owns. Does not communicate.
  std::uint64_t local_vertices(site where = site::current()) const {
    check(where);
    return layout_->vertices_of(my_pe());
  }

  /// Returns the number of different neighbours of a vertex that this PE owns; in a directed graph,
  /// of the targets of its arcs. Does not communicate. Throws atl::error (input) for a vertex of
  /// another PE, and for one whose neighbours are divided (`graph_options::divide_hubs`).
  std::uint64_t degree(vertex_id vertex, site where = site::current()) const;

  /// Calls `visit(neighbour)` for each neighbour of a vertex that this PE owns. Does not
  /// communicate. Throws as `degree`.
  template <class Visit>
  void for_each_neighbour(vertex_id vertex, Visit&& visit, site where = site::current()) const {
    const std::uint64_t row = row_of(vertex, where);
    on_ids([&](auto rows) {
      for (const auto neighbour : rows->row(row)) visit(vertex_id{neighbour});
    });
  }

  /// Calls `visit(neighbour, weight)` for each neighbour of a vertex that this PE owns. Does not
  /// communicate. Throws as `degree`, and atl::error (input) if arcs have no weights
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

  /// Returns the vertex with this name. If vertices have no names, `name` is the number of the
  /// vertex, or its id in the input if those were `ids::any`. Empty if there is no such vertex.
  /// Suspends the task.
  task<std::optional<vertex_id>> find(std::string name, site where = site::current()) const;

  /// Returns the name of the vertex, as files show it; its number if it has no name. Suspends the
  /// task.
  task<std::string> name_of(vertex_id vertex, site where = site::current()) const;

  /// Frees the memory of the graph on all PEs. One task calls it, once, and waits. Afterwards,
  /// vertex arrays of the graph must not be used, except to destroy them. Throws atl::error (input)
  /// if the graph was destroyed before.
  task<> destroy(site where = site::current()) const;

  /// Frees the memory of the graph, as `destroy` does. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;

  // Members for the algorithms in atoll/kernels/.

  /// Calls `function(rows)` with the rows of the graph: a handle of the `graph_part` of each PE,
  /// whose ids have 32 or 64 bits.
  template <class Function>
  decltype(auto) on_ids(Function&& function) const {
    return is_wide_ ? function(wide_) : function(narrow_);
  }
  per_pe<graph::vertex_layout> layout() const { return layout_; }
  vertex_names names() const { return names_; }

  /// Returns the edges of the input on each PE. If they were not kept
  /// (`graph_options::keep_edges`), throws atl::error (input), which says that `what_for` needs
  /// them.
  per_pe<stored_edges> kept_edges(std::string_view what_for, site where) const;
  bool keeps_edges() const { return keeps_edges_; }

  /// Returns an object that can say later whether the graph still exists.
  memory::lifetime life() const { return life_; }

  /// Throws atl::error (input) if the graph was destroyed, or the handle is empty.
  void check(site where) const { life_.check("the graph", where); }

  /// Throws atl::error (input) if the graph was destroyed, the handle is empty, or the graph has no
  /// neighbours (`graph_options::edges_only`).
  void check_neighbours(site where) const {
    check(where);
    if (edges_only_) refuse_without_neighbours(where);
  }

  /// Throws atl::error (input) as `check_neighbours`, and if the neighbours of some vertices are
  /// divided over all PEs (`graph_options::divide_hubs`); `what_for` needs whole lists.
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

  /// Returns "FILE:LINE:COLUMN: weight '-3' is below 0" for the first weight below 0 of the file
  /// that was read; "" if there is none.
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
  bool has_arc_weights_ = false;
  parallel_edges parallel_ = parallel_edges::add_up;
  bool keeps_edges_ = false;
  bool divides_hubs_ = false;
  bool edges_only_ = false;
};

/// Findings about a file from reading it.
struct reading_notes {
  std::vector<std::string> remarks;    ///< sentences about how the file was understood
  bool undirected = false;             ///< the file says that its edges have no direction
  std::uint64_t weight_column = 0;     ///< in a text with any number of columns; 0: none
  std::uint64_t columns_left_out = 0;  ///< number of unused columns, in a line with the most of
                                       ///< them
  std::string why_no_weights;          ///< if a weight could not be kept: which one
};

/// A graph in the making, for programs that inspect the input before they build the graph. One task
/// calls `make`, then `read` or `generate`, then `build`, or `discard` if no graph is to be built.
/// All of these suspend the task.
class graph_builder {
 public:
  /// Makes an empty builder. Suspends the task.
  static task<graph_builder> make(graph_options options);

  /// Reads the edges of a file; every PE reads a part. Suspends the task. Throws as `read_graph`.
  task<> read(std::string path);
  /// Reads the edges of `files`; every PE reads a part. Suspends the task. Throws as `read_graph`.
  task<> read(graph_files files);

  /// Uses the edges of a random graph, which each PE generates again whenever it visits them.
  /// Suspends the task. Throws atl::error (input) for parameters out of range.
  task<> generate(generator_parameters of);

  /// Returns the options for `build`, which may be changed before.
  graph_options& options() { return options_; }

  // Properties of the input, valid after `read` or `generate`.
  std::uint64_t vertices() const { return made_.vertices_; }
  std::uint64_t edges() const { return made_.edges_; }
  bool has_weights() const { return made_.has_weights_; }
  vertex_names names() const { return made_.names_; }
  const reading_notes& notes() const { return notes_; }

  /// Gives each edge a weight, a hash of its ends and of `seed`, instead of any weights that it
  /// has. The weight has 32 bits, or is from 1 to `largest`. Suspends the task.
  task<> hash_weights(std::uint64_t seed, std::uint32_t largest = 0);

  /// Returns the smallest and the largest weight of all edges; 0 and 0 if there are none. Integers
  /// beyond 2^53 are rounded. Suspends the task.
  task<std::pair<double, double>> weight_range() const;

  /// Builds the graph. Suspends the task. Throws as `make_graph`.
  task<global_graph> build();

  /// Frees the memory of the input, if no graph is built. Suspends the task.
  task<> discard();

  /// Returns the lists of edges of each PE, to which each PE may add edges before `settle`.
  per_pe<stored_edges> stored() const { return stored_; }

  /// Completes the input after each PE has added its edges: counts edges and vertices. One task
  /// calls it and waits. Throws atl::error (input) if the end of an edge is too large for a vertex.
  task<> settle();

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

/// Reads the graph in a file of any format that `atoll info` knows; every PE reads a part. Weights
/// may be real numbers, in every text but METIS. One task calls it and waits. Throws atl::error:
/// input, with the file and the place in it; out_of_memory.
task<global_graph> read_graph(std::string path, graph_options options = {},
                              site where = site::current());

/// Reads the graph in a file. Every PE calls it and waits; the arguments of PE 0 count, and all get
/// the same graph. Throws as `read_graph`.
task<global_graph> all_read_graph(std::string path, graph_options options = {},
                                  site where = site::current());

/// Makes a graph of the edges in an array, which may be destroyed afterwards. One task calls it and
/// waits. Throws atl::error: input if an end is too large for a vertex, which has 48 bits;
/// out_of_memory.
task<global_graph> make_graph(global_array<edge> edges, graph_options options = {},
                              site where = site::current());
/// Makes a graph of the weighted edges in an array, which may be destroyed afterwards. One task
/// calls it and waits. Throws as the form for edges without weights.
task<global_graph> make_graph(global_array<weighted_edge> edges, graph_options options = {},
                              site where = site::current());

/// Makes a graph of the edges with real weights in an array, which may be destroyed afterwards. A
/// minimum spanning forest needs integer weights. One task calls it and waits. Throws as the form
/// for edges without weights.
task<global_graph> make_graph(global_array<real_weighted_edge> edges, graph_options options = {},
                              site where = site::current());

/// A function that returns edge i, as an `edge`, a `weighted_edge` or a `real_weighted_edge`.
template <class Function>
concept edge_function =
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, edge> ||
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, weighted_edge> ||
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, real_weighted_edge>;

/// Makes a graph of `count` edges, where edge i is `edge_at(i)`. Any PE may call the function,
/// which is trivially copyable. One task calls it and waits. Throws atl::error: input if an end is
/// too large for a vertex, which has 48 bits; out_of_memory.
template <edge_function EdgeAt>
task<global_graph> make_graph(std::uint64_t count, EdgeAt edge_at, graph_options options = {},
                              site where = site::current());

/// Makes a graph of the edges that each PE gives. Every PE calls it with the same options and
/// waits; all get the same graph. Throws on every PE atl::error: input if an end is too large for a
/// vertex, which has 48 bits; out_of_memory.
task<global_graph> all_make_graph(std::span<const edge> mine, graph_options options = {},
                                  site where = site::current());
/// Makes a graph of the weighted edges that each PE gives. Every PE calls it with the same options
/// and waits. Throws as the form for edges without weights.
task<global_graph> all_make_graph(std::span<const weighted_edge> mine, graph_options options = {},
                                  site where = site::current());
/// Makes a graph of the edges with real weights that each PE gives. A minimum spanning forest needs
/// integer weights. Every PE calls it with the same options and waits. Throws as the form for edges
/// without weights.
task<global_graph> all_make_graph(std::span<const real_weighted_edge> mine,
                                  graph_options options = {}, site where = site::current());

/// Makes a graph of the edges between names that each PE gives. Every PE calls it with the same
/// options and waits; all get the same graph. Names become vertices, in an order that does not
/// depend on the number of PEs. `find` and `name_of` translate between them, and files of results
/// contain the names. A name has at least one character and no line break; otherwise all PEs throw
/// atl::error (input). `options.ids` has no effect.
task<global_graph> all_make_graph(std::span<const named_edge> mine, graph_options options = {},
                                  site where = site::current());

/// Makes a random graph. Its edges take no memory: each PE generates its share again whenever they
/// are visited. Each edge has a weight of 32 bits, a hash of its ends and of the seed.
/// `options.ids` has no effect. One task calls it and waits. Throws atl::error: input for
/// parameters out of range; out_of_memory.
task<global_graph> make_random_graph(generator_parameters of, graph_options options = {},
                                     site where = site::current());

/// Makes a random graph. Every PE calls it with the same arguments and waits; all get the same
/// graph. Throws as `make_random_graph`.
task<global_graph> all_make_random_graph(generator_parameters of, graph_options options = {},
                                         site where = site::current());

/// Makes an array with one element for each vertex of the graph, all zero. One task calls it and
/// waits. Throws atl::error: input if the graph was destroyed; out_of_memory.
template <class T>
task<vertex_array<T>> make_vertex_array(global_graph of, elements_are what = elements_are::numbers,
                                        site where = site::current()) {
  of.check(where);
  return vertex_array<T>::make(of.layout(), what, where);
}

/// Makes an array with one element for each vertex of the graph, all zero. Every PE calls it with
/// the same graph and waits; all get the same array. Throws as `make_vertex_array`.
template <class T>
task<vertex_array<T>> all_make_vertex_array(global_graph of,
                                            elements_are what = elements_are::numbers,
                                            site where = site::current()) {
  const auto by_one = [of, what, where] { return make_vertex_array<T>(of, what, where); };
  return all_by_first(by_one, where);
}

}  // namespace atl

#include "atoll/graph/graph_builder.hpp"
