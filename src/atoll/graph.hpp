#pragma once
// Graphs over all PEs, as programs use them: read from a file, or made of edges that a program has.
// The calls in atoll/kernels/ take them, and programs look at the neighbours of vertices
// themselves.

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/graph_files.hpp"
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

/// An edge with what it weighs.
struct weighted_edge {
  vertex_id from = 0;
  vertex_id to = 0;
  std::int64_t weight = 0;
};

/// An edge between names.
struct named_edge {
  std::string from;
  std::string to;
};

/// What the numbers at the ends of edges are.
enum class ids : std::uint8_t {
  vertices,  ///< the numbers of vertices: there are as many as the largest one and 1
  any        ///< any numbers of 64 bits (48 in files): those that occur are numbered without gaps,
             ///< in their order
};

/// Called with what a call does now and the part of it that is done, from 0 to 1, on the PE of the
/// task that calls; of "reading" a file only where that is PE 0. Refers to a function object of the
/// caller, which must outlive the call and throws nothing.
class progress_view {
 public:
  progress_view() = default;
  template <std::invocable<std::string_view, double> Function>
  progress_view(const Function& function)
      : object_(&function), call_([](const void* object, std::string_view what, double done) {
          (*static_cast<const Function*>(object))(what, done);
        }) {}

  void operator()(std::string_view what, double done) const {
    if (call_ != nullptr) call_(object_, what, done);
  }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, std::string_view, double) = nullptr;
};

/// How a graph is read or made.
struct graph_options {
  bool directed = false;  ///< arcs lead from the first end of an edge to the second; else both ways
  bool reversed = false;  ///< arcs of a directed graph lead from the second end to the first
  atl::ids ids = ids::vertices;
  /// The edges stay in memory beside the graph: `verify` compares with them, and a minimum spanning
  /// forest is found among them.
  bool keep_edges = true;
  /// Each arc gets the sum of the weights of its edges: for `for_each_weighted_neighbour`, and so
  /// that PageRank follows arcs as often as they weigh. Where the graph is not directed, edges in
  /// the other direction count only for arcs without edges in their own: a file may list both.
  bool arc_weights = false;
  /// The column of weights, from 3 on, in a file of `.txt`, `.tsv` or `.csv`; 0: weights are not
  /// read. By default the third column, where all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// So many lines at the beginning of a text file are passed over.
  std::optional<std::uint64_t> skip_lines = {};
  /// A file whose line i names vertex i, from 0 on; "": none. It outlives the call.
  std::string_view names = {};
  /// The neighbours of each vertex stand in ascending order. Else, in a graph that is not directed,
  /// those with most neighbours stand first, which makes searches faster.
  bool ascending_neighbours = false;
  /// Vertices with very many neighbours have them divided over all PEs, which balances the calls of
  /// atoll/kernels/. Then a program cannot look at the neighbours of those vertices.
  bool divide_hubs = false;
  bool wide_ids = false;  ///< neighbours take 64 bits in memory, even where 32 suffice
  /// The graph keeps its edges and has no neighbours of vertices: all that a minimum spanning
  /// forest needs.
  bool edges_only = false;
  progress_view progress = {};
};

/// What one PE has of a graph.
struct part_statistics {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;   ///< pairs of a vertex and a neighbour
  std::uint64_t bytes = 0;  ///< of vertices and arcs in memory
};

/// What making a graph took, and how it is kept.
struct graph_statistics {
  double read_seconds = 0;             ///< of a file
  double scan_seconds = 0;             ///< of these, to find where the parts of a BVGraph begin
  double build_seconds = 0;            ///< from edges in memory to the graph
  unsigned id_bits = 32;               ///< that a neighbour takes in memory
  std::uint64_t hubs = 0;              ///< vertices whose neighbours are divided over all PEs
  std::vector<part_statistics> parts;  ///< by PE

  std::uint64_t arcs() const;

  /// The arcs of the largest part over the average; 1 without arcs.
  double balance() const;
};

/// A graph over all PEs. A small trivially copyable handle: capture it, send it. Each PE owns a
/// range of consecutive vertices, with the neighbours of each. Duplicates of edges and self loops
/// are counted in `edges`, and are no neighbours. Any PE calls the functions below; those that are
/// no task do not communicate. All that looks at vertices throws atl::error (input), with the line
/// of the call, where the graph was destroyed.
class global_graph {
 public:
  std::uint64_t vertices() const { return vertices_; }

  /// Edges of the input, duplicates and self loops included.
  std::uint64_t edges() const { return edges_; }

  bool is_directed() const { return is_directed_; }

  /// The edges of the input have weights, which were read: they are kept, or arcs have them.
  bool has_weights() const { return has_weights_; }

  /// What making the graph took, and how it is kept. One task calls it. Blocks the task.
  task<graph_statistics> statistics(site where = site::current()) const;

  /// The PE that owns the vertex. Throws atl::error (input) where there is no such vertex.
  int owner_of(vertex_id vertex, site where = site::current()) const;

  /// This PE owns `local_vertices` vertices from `first_vertex` on.
  vertex_id first_vertex(site where = site::current()) const {
    check(where);
    return layout_->shape.begin(my_pe());
  }
  std::uint64_t local_vertices(site where = site::current()) const {
    check(where);
    return layout_->vertices_of(my_pe());
  }

  /// The number of different neighbours of a vertex that this PE owns; of a directed graph, of
  /// those that its arcs lead to. Throws atl::error (input) for a vertex of another PE, and for one
  /// whose neighbours are divided (`graph_options::divide_hubs`).
  std::uint64_t degree(vertex_id vertex, site where = site::current()) const;

  /// Calls `visit(neighbour)` for each neighbour of a vertex that this PE owns. Throws as `degree`.
  template <class Visit>
  void for_each_neighbour(vertex_id vertex, Visit&& visit, site where = site::current()) const {
    const std::uint64_t row = row_of(vertex, where);
    on_ids([&](auto rows) {
      for (const auto neighbour : rows->row(row)) visit(vertex_id{neighbour});
    });
  }

  /// Calls `visit(neighbour, weight)` likewise. Throws atl::error (input) where arcs have no
  /// weights (`graph_options::arc_weights`), too.
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

  /// The vertex with this name or, where vertices have none, number; the id of the input where
  /// those were `ids::any`. Blocks the task.
  task<std::optional<vertex_id>> find(std::string name, site where = site::current()) const;

  /// The name of the vertex, as files tell it: its number where it has none. Blocks the task.
  task<std::string> name_of(vertex_id vertex, site where = site::current()) const;

  /// Gives the memory back. One task, once: throws atl::error (input) where that was done before.
  /// Vertex arrays of the graph must not be used any more, but destroyed.
  task<> destroy(site where = site::current()) const;

  /// The same. Every PE calls it.
  task<> all_destroy(site where = site::current()) const;

  // What kernels need.

  /// Calls `function(rows)` with the rows of the graph, a handle of the `graph_part` of all PEs, in
  /// the width of ids that it has.
  template <class Function>
  decltype(auto) on_ids(Function&& function) const {
    return is_wide_ ? function(wide_) : function(narrow_);
  }
  per_pe<graph::vertex_layout> layout() const { return layout_; }
  vertex_names names() const { return names_; }

  /// The edges of the input on each PE. Throws atl::error (input), which says that `what_for` needs
  /// them, where they were not kept (`graph_options::keep_edges`).
  per_pe<stored_edges> kept_edges(std::string_view what_for, site where) const;
  bool keeps_edges() const { return keeps_edges_; }

  /// Tells whether the graph is there.
  memory::lifetime life() const { return life_; }

  /// Throws atl::error (input) where the graph was destroyed, or the handle is empty.
  void check(site where) const { life_.check("the graph", where); }

  /// Throws the same, and where there are no neighbours (`graph_options::edges_only`).
  void check_neighbours(site where) const {
    check(where);
    if (edges_only_) refuse_without_neighbours(where);
  }
  bool has_wide_ids() const { return is_wide_; }

  /// Throws atl::error (input) where `result` is none of this graph, or one of the two was
  /// destroyed.
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
  bool keeps_edges_ = false;
  bool divides_hubs_ = false;
  bool edges_only_ = false;
};

/// What was found out about a file while it was read.
struct reading_notes {
  std::vector<std::string> remarks;    ///< sentences about how the file was understood
  bool undirected = false;             ///< the file says that its edges have no direction
  std::uint64_t weight_column = 0;     ///< of a text with any number of columns; 0: none
  std::uint64_t columns_left_out = 0;  ///< of a line with the most of them
  std::string why_no_weights;          ///< where a weight is no integer, which one
};

/// A graph in the making, for programs that look at what was read before the graph is built. One
/// task calls `make`, then `read` or `generate`, then `build` or, where no graph is to be made,
/// `discard`. All block the task.
class graph_builder {
 public:
  static task<graph_builder> make(graph_options options);

  /// Reads the edges of a file, every PE a part. Throws as `read_graph`.
  task<> read(std::string path);
  task<> read(graph_files files);

  /// Takes the edges of a random graph, which each PE makes again whenever it looks at them. Throws
  /// atl::error (input) for parameters out of range.
  task<> generate(generator_parameters of);

  /// How the graph is to be built; may be changed until then.
  graph_options& options() { return options_; }

  // What there is then.
  std::uint64_t vertices() const { return made_.vertices_; }
  std::uint64_t edges() const { return made_.edges_; }
  bool has_weights() const { return made_.has_weights_; }
  vertex_names names() const { return made_.names_; }
  const reading_notes& notes() const { return notes_; }

  /// Gives each edge a weight of 32 bits by hash of its ends and of `seed`, in place of others.
  task<> hash_weights(std::uint64_t seed);

  /// The least and the largest weight of all edges, 0 and 0 where there are none.
  task<std::pair<std::int64_t, std::int64_t>> weight_range() const;

  /// Builds the graph. Throws as `make_graph`.
  task<global_graph> build();

  /// Gives back what there is.
  task<> discard();

  /// The edges on each PE, to add to, before `settle`.
  per_pe<stored_edges> stored() const { return stored_; }

  /// After each PE has added its edges.
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

/// Reads the graph of a file in any format that `atoll info` knows, every PE a part of it. One task
/// calls it. Blocks the task. Throws atl::error: input, with the file and the place in it;
/// out_of_memory.
task<global_graph> read_graph(std::string path, graph_options options = {},
                              site where = site::current());

/// The same. Every PE calls it; what PE 0 gives counts, and all get the same.
task<global_graph> all_read_graph(std::string path, graph_options options = {},
                                  site where = site::current());

/// Makes a graph of the edges in an array, which is not needed afterwards. One task calls it.
/// Blocks the task. Throws atl::error: input where an end is too large for a vertex, which 48 bits
/// hold; out_of_memory.
task<global_graph> make_graph(global_array<edge> edges, graph_options options = {},
                              site where = site::current());
task<global_graph> make_graph(global_array<weighted_edge> edges, graph_options options = {},
                              site where = site::current());

/// A function that gives edge i, as an `edge` or a `weighted_edge`.
template <class Function>
concept edge_function =
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, edge> ||
    std::same_as<std::invoke_result_t<const Function&, std::uint64_t>, weighted_edge>;

/// Makes a graph of `count` edges, of which `edge_at(i)` is edge i, called on any PE. The function
/// travels, so it is trivially copyable. One task calls it. Blocks the task. Throws as above.
template <edge_function EdgeAt>
task<global_graph> make_graph(std::uint64_t count, EdgeAt edge_at, graph_options options = {},
                              site where = site::current());

/// Makes a graph of the edges that each PE gives. Every PE calls it, with the same options; all get
/// the same. Throws as above, on every PE.
task<global_graph> all_make_graph(std::span<const edge> mine, graph_options options = {},
                                  site where = site::current());
task<global_graph> all_make_graph(std::span<const weighted_edge> mine, graph_options options = {},
                                  site where = site::current());

/// The same for edges between names, which become vertices in an order that does not depend on the
/// number of PEs: `find` and `name_of` translate, and files that results are written to have the
/// names. A name has at least one character and no line break. `options.ids` does not matter.
task<global_graph> all_make_graph(std::span<const named_edge> mine, graph_options options = {},
                                  site where = site::current());

/// Makes a random graph. Its edges take no memory: each PE makes its share of them again whenever
/// they are looked at. Each has a weight, by hash of its ends and of the seed, in 32 bits.
/// `options.ids` does not matter. One task calls it. Blocks the task. Throws atl::error: input for
/// parameters out of range, out_of_memory.
task<global_graph> make_random_graph(generator_parameters of, graph_options options = {},
                                     site where = site::current());

/// The same. Every PE calls it, with the same arguments; all get the same.
task<global_graph> all_make_random_graph(generator_parameters of, graph_options options = {},
                                         site where = site::current());

/// An array with an element for each vertex of the graph, all zero. One task calls it. Blocks the
/// task. Throws atl::error (out_of_memory).
template <class T>
task<vertex_array<T>> make_vertex_array(global_graph of, elements_are what = elements_are::numbers,
                                        site where = site::current()) {
  of.check(where);
  return vertex_array<T>::make(of.layout(), what, where);
}

/// The same. Every PE calls it, with the same graph; all get the same.
template <class T>
task<vertex_array<T>> all_make_vertex_array(global_graph of,
                                            elements_are what = elements_are::numbers,
                                            site where = site::current()) {
  const auto by_one = [of, what, where] { return make_vertex_array<T>(of, what, where); };
  return all_by_first(by_one, where);
}

}  // namespace atl

#include "atoll/graph/graph_builder.hpp"
