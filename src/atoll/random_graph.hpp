#pragma once
// Random graphs. Every edge is a pure function of its index and of the parameters of the graph.
// Each PE therefore generates its edges without communication, and the graph is the same for every
// number of PEs:
//
//   const atl::generator_parameters chosen{.scale = 20};
//   const auto graph =
//       co_await atl::make_graph(chosen.edges(), atl::random_graph_generator(chosen));
//
// Random trees are generated while they are traversed. A traversal begins with the root, and the
// children of a vertex are a pure function of the vertex.

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
  kronecker,  ///< the distribution of the benchmark Graph500
  uniform,    ///< all pairs of vertices are equally likely
  web         ///< a distribution like that of links between web pages
};

/// The parameters of a random graph. By default the graph has 2^scale vertices and edge_factor *
/// 2^scale edges.
struct generator_parameters {
  std::uint64_t scale = 18;
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;
  /// If not 0, the number of vertices, in place of 2^scale. A Kronecker graph does not allow this
  /// parameter.
  std::uint64_t exact_vertices = 0;
  /// If not 0, the number of edges per vertex, in place of edge_factor.
  double edges_per_vertex = 0;
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

  /// Throws `error` (input) if the graph has no vertex, or if one of its numbers does not fit in 64
  /// bits.
  void check() const;
};

/// Generates the edges of a random graph of any kind. The generator is a trivially copyable
/// function object, so any PE may have a copy.
class random_graph_generator {
 public:
  /// Makes a generator. Throws `error` (input) if a parameter is out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// Returns the edge with the number `index`, which is less than parameters.edges().
  edge operator()(std::uint64_t index) const;

 private:
  // Storage of the generator of the chosen kind.
  alignas(std::uint64_t) std::array<std::byte, 128> generator_;
};

/// Returns the weight of the edge with the number `index`, as generated files with weights contain
/// it. Weights are uniformly distributed from 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

/// Returns a weight for the edge between u and v, in a graph that has no weights. The weight is a
/// uniformly distributed number of 32 bits, and is the same for the edge between v and u. Every PE
/// can therefore compute the weight of any edge, in either direction. All copies of an edge have
/// the same weight.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed);

/// Returns the k-th candidate for the root of a search. Candidates are uniformly distributed in [0,
/// vertices()), and may repeat. The caller skips vertices that have no edge, and vertices that were
/// chosen before.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// Returns the k-th candidate for the root of a search in any graph. `vertices`, the number of
/// vertices, is at least 1. Candidates are uniformly distributed in [0, vertices), and may repeat.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

/// The shapes of the trees in the benchmark UTS (Unbalanced Tree Search, Olivier et al., LCPC
/// 2006). The shape tells how the expected number of children depends on the depth of a vertex.
enum class tree_shape : std::uint8_t { fixed, linear, cyclic, binomial, hybrid };

/// The numbers that a traversal of a tree returns.
struct tree_totals {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  ///< depth of the deepest vertex; the root has depth 0

  friend bool operator==(const tree_totals&, const tree_totals&) = default;
};

/// The parameters of a tree of UTS. The parameters have the names that the paper uses.
struct tree_parameters {
  std::string_view name;
  tree_shape shape = tree_shape::fixed;
  /// Expected number of children of the root. In a binomial tree, the root has exactly this number
  /// of children.
  double b0 = 4;
  /// Parameter D of geometric trees: the depth at which the tree ends or its shape repeats.
  std::uint64_t depth = 6;
  std::uint32_t seed = 0;
  double q = 0;  ///< in binomial trees, the probability that a vertex has children
  /// In binomial trees, the number of children of a vertex that has children.
  std::uint64_t m = 0;
  /// In hybrid trees, vertices from depth shift * D on have children as in a binomial tree.
  double shift = 0;
  tree_totals published{};  ///< counts that the authors published; zeros if not published

  static constexpr std::uint64_t largest_depth = std::uint64_t{1} << 16;

  /// Throws `error` (input) if a parameter is out of range.
  void check() const;
};

/// Returns the trees that the authors of UTS have published: T1 to T5, T1L, T2L and T3L.
std::span<const tree_parameters> published_trees();

/// Returns the published tree with this name, or null if there is none.
const tree_parameters* find_tree(std::string_view name);

/// The state of a vertex of a random tree: a SHA-1 digest, stored as five numbers. Hashing uses the
/// bytes of the five numbers in big-endian order.
struct tree_vertex {
  std::array<std::uint32_t, 5> words{};

  friend bool operator==(const tree_vertex&, const tree_vertex&) = default;
};

/// Children of one vertex that were not visited yet. The children have the numbers `first` to `end`
/// - 1. The range can be divided at any number, and its parts can be sent to other PEs.
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

/// A tree that can be traversed. The object never changes, so any thread may use it. Copies share
/// their memory.
class random_tree {
 public:
  /// The maximum number of siblings per call of `visit`.
  static constexpr unsigned most_visited = 100;

  /// Makes the tree. Throws `error` (input) if a parameter is out of range.
  explicit random_tree(const tree_parameters& parameters);

  /// Returns the children of the root, with which a traversal begins. The range of children may be
  /// empty.
  const tree_siblings& children_of_root() const { return children_of_root_; }

  /// Visits from 1 to `most_visited` siblings. For each visited vertex that has children, this
  /// function stores its range of children in the array `found`. The other vertices are leaves. The
  /// array must have room for one entry more than the number of siblings. Returns the end of the
  /// stored entries.
  tree_siblings* visit(tree_siblings some, tree_siblings* found) const;

 private:
  friend class waiting_siblings;

  std::shared_ptr<const graph::tree_steps> steps_;
  tree_siblings children_of_root_;
};

/// A growing stack of siblings that a traversal has found and not visited yet. To share work,
/// another PE should get the oldest entries, because their subtrees are probably the largest.
class waiting_siblings {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }

  /// Pushes the siblings `found`. An empty range is not pushed.
  void push(const tree_siblings& found);

  /// Visits vertices, the most recently found first, and adds the numbers of visited vertices to
  /// `found`. Stops when at least `least` vertices were visited, or when no vertices are left. This
  /// function is faster than `random_tree::visit`.
  void visit_some(const random_tree& whole, std::uint64_t least, tree_totals& found);

  /// Removes the oldest entry and returns it. If there is only one entry, the second half of its
  /// siblings is removed instead. The stack must hold more than one vertex.
  tree_siblings take_oldest();

  /// Returns whether at least one vertex would stay in the stack after `take_oldest`.
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
