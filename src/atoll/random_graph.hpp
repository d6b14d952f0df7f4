#pragma once
// Random graphs: every edge is a pure function of the parameters and its index. Each PE therefore
// makes its edges alone, and the graph is the same for every number of PEs:
//
//   const atl::generator_parameters chosen{.scale = 20};
//   const auto graph =
//       co_await atl::make_graph(chosen.edges(), atl::random_graph_generator(chosen));
//
// Random trees are generated during traversal: only the root is given, and the children of a vertex
// are a pure function of the vertex.

#include "atoll/graph/edge.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace atl {

/// The distribution of the edges of a random graph.
enum class graph_kind : std::uint8_t {
  kronecker,  ///< as in Graph500
  uniform,    ///< all edges equally likely
  web         ///< like links between pages
};

/// The parameters of a random graph. By default it has 2^scale vertices and edge_factor * 2^scale
/// edges.
struct generator_parameters {
  std::uint64_t scale = 18;
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;
  std::uint64_t exact_vertices = 0;  ///< replaces 2^scale if it is not 0; not for a Kronecker graph
  double edges_per_vertex = 0;       ///< replaces edge_factor if it is not 0
  graph_kind kind = graph_kind::kronecker;

  static constexpr std::uint64_t largest_scale = 48;
  static constexpr std::uint64_t largest_edges_per_vertex = std::uint64_t{1} << 20;

  /// Returns the number of vertices of the graph.
  constexpr std::uint64_t vertices() const {
    return exact_vertices != 0 ? exact_vertices : std::uint64_t{1} << scale;
  }
  /// Returns the number of edges of the graph.
  constexpr std::uint64_t edges() const {
    if (edges_per_vertex == 0) return edge_factor * vertices();
    return static_cast<std::uint64_t>(edges_per_vertex * static_cast<double>(vertices()) + 0.5);
  }

  /// Throws `error` (input) unless the graph has at least one vertex and its numbers fit 64 bits.
  void check() const;
};

/// Generates the edges of a random graph of any kind. A trivially copyable function object, which
/// any PE may call.
class random_graph_generator {
 public:
  /// Makes a generator. Throws `error` (input) for parameters out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// Returns the edge at `index`, which is in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const;

 private:
  alignas(std::uint64_t) std::array<std::byte, 128> generator_;  // the generator of the chosen kind
};

/// Returns the weight of the edge at `index` in files with weights: uniform in 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

/// Returns the weight of the edge between u and v, in a graph without weights: uniform in 32 bits,
/// the same for v and u. Every PE can therefore compute the weight of any edge, in either
/// direction, and all copies of an edge have the same weight.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed);

/// Returns the k-th candidate for the root of a search: uniform in [0, vertices()), repeats
/// possible. The caller skips vertices without an edge and vertices that were chosen before.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// Returns the k-th candidate for the root of a search in any graph of `vertices` vertices, at
/// least 1: uniform in [0, vertices), repeats possible.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

/// The shapes of trees of the benchmark UTS (Unbalanced Tree Search, Olivier et al., LCPC 2006). A
/// shape determines how the expected number of children depends on the depth of a vertex.
enum class tree_shape : std::uint8_t { fixed, linear, cyclic, binomial, hybrid };

/// The counts of a traversal of a tree.
struct tree_totals {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  ///< depth of the deepest vertex; the root has 0

  friend bool operator==(const tree_totals&, const tree_totals&) = default;
};

/// The parameters of a tree of UTS.
struct tree_parameters {
  std::string_view name;
  tree_shape shape = tree_shape::fixed;
  double b0 = 4;            ///< expected children of the root; exact if binomial
  std::uint64_t depth = 6;  ///< D, where geometric trees end or repeat
  std::uint32_t seed = 0;
  double q = 0;             ///< binomial: the probability of having children
  std::uint64_t m = 0;      ///< binomial: the number of children, if any
  double shift = 0;         ///< hybrid: binomial from depth shift D on
  tree_totals published{};  ///< the authors' counts, if published

  static constexpr std::uint64_t largest_depth = std::uint64_t{1} << 16;

  /// Throws `error` (input) if a number is out of range.
  void check() const;
};

/// Returns the trees that the authors of UTS published: T1 to T5, T1L, T2L and T3L.
std::span<const tree_parameters> published_trees();

/// Returns the published tree with this name, or null if there is none.
const tree_parameters* find_tree(std::string_view name);

/// The state of a vertex of a random tree: a SHA-1, as five numbers that are hashed in big-endian
/// order.
struct tree_vertex {
  std::array<std::uint32_t, 5> words{};

  friend bool operator==(const tree_vertex&, const tree_vertex&) = default;
};

/// Unvisited children of one vertex, numbered from `first` to `end` - 1. Siblings can be divided at
/// any number, and sent to other PEs.
struct tree_siblings {
  tree_vertex parent;
  std::uint32_t depth = 0;  ///< depth of the siblings
  std::uint16_t first = 0;
  std::uint16_t end = 0;

  unsigned count() const { return static_cast<unsigned>(end - first); }
};

namespace graph {
class tree_steps;
}

/// A tree that can be traversed. Immutable; any thread may use it. Copies share their memory.
class random_tree {
 public:
  /// The maximum number of siblings per call of `visit`.
  static constexpr unsigned most_visited = 100;

  /// Makes the tree. Throws `error` (input) for parameters out of range.
  explicit random_tree(const tree_parameters& parameters);

  /// Returns the children of the root, with which a traversal begins. There may be none.
  const tree_siblings& children_of_root() const { return children_of_root_; }

  /// Visits 1 to `most_visited` siblings. Stores one entry from `found` on for each sibling that
  /// has children; the other siblings are leaves. `found` must have room for one entry more than
  /// siblings are visited. Returns the end of the stored entries.
  tree_siblings* visit(tree_siblings some, tree_siblings* found) const;

 private:
  friend class waiting_siblings;

  std::shared_ptr<const graph::tree_steps> steps_;
  tree_siblings children_of_root_;
};

/// A growing stack of the siblings that a traversal has found and not yet visited. The oldest
/// entries can be given away, because they promise the most work.
class waiting_siblings {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }

  /// Pushes siblings, unless there are none in `found`.
  void push(const tree_siblings& found);

  /// Visits vertices, latest first, until at least `least` are visited or none are left, and adds
  /// them to `found`. Faster than `random_tree::visit`.
  void visit_some(const random_tree& whole, std::uint64_t least, tree_totals& found);

  /// Removes and returns the oldest siblings, or their second half if there are no others. There
  /// must be more than one vertex.
  tree_siblings take_oldest();

  /// Returns whether `take_oldest` would leave something here.
  bool can_share() const { return size() > 1 || (size() == 1 && places_[begin_].count() > 1); }

 private:
  tree_siblings pop_some();
  void make_room(std::size_t count);

  std::vector<tree_siblings> places_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace atl

#include "atoll/graph/generator.hpp"
