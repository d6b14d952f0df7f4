#pragma once
// Random graphs: every edge is a pure function of the parameters and its index. So each PE makes
// its edges alone, and the graph is the same for every number of PEs:
//
//   const atl::generator_parameters chosen{.scale = 20};
//   const auto graph =
//       co_await atl::make_graph(chosen.edges(), atl::random_graph_generator(chosen));
//
// Random trees: nothing is known of one but its root, and each vertex tells its children.

#include "atoll/graph/edge.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace atl {

/// Which law the edges of a random graph follow.
enum class graph_kind : std::uint8_t {
  kronecker,  ///< as Graph500 makes them
  uniform,    ///< all alike
  web         ///< as links between pages
};

/// A random graph: 2^scale vertices and edge_factor * 2^scale edges, unless other numbers are asked
/// for.
struct generator_parameters {
  std::uint64_t scale = 18;
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;
  std::uint64_t exact_vertices =
      0;                        ///< in place of 2^scale where it is not 0; of no Kronecker graph
  double edges_per_vertex = 0;  ///< in place of edge_factor where it is not 0
  graph_kind kind = graph_kind::kronecker;

  static constexpr std::uint64_t largest_scale = 48;
  static constexpr std::uint64_t largest_edges_per_vertex = std::uint64_t{1} << 20;

  constexpr std::uint64_t vertices() const {
    return exact_vertices != 0 ? exact_vertices : std::uint64_t{1} << scale;
  }
  constexpr std::uint64_t edges() const {
    if (edges_per_vertex == 0) return edge_factor * vertices();
    return static_cast<std::uint64_t>(edges_per_vertex * static_cast<double>(vertices()) + 0.5);
  }

  /// Throws `error` (input) unless the graph has a vertex and numbers that fit 64 bits.
  void check() const;
};

/// Makes the edges of a graph of any kind: a function object to call on any PE, trivially copyable.
class random_graph_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const;

 private:
  alignas(std::uint64_t) std::array<std::byte, 128> generator_;  // of the kind
};

/// The weight of the edge at `index` in files with weights: uniform in 1 to 255.
std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index);

/// The weight of the edge between u and v, in a graph without any: uniform in 32 bits, the same for
/// v and u. So every PE that sees an edge, in whichever direction, knows its weight, and all copies
/// of an edge weigh the same.
constexpr std::uint32_t hashed_weight(std::uint64_t u, std::uint64_t v, std::uint64_t seed);

/// The k-th candidate for the root of a search: uniform in [0, vertices()), repeats possible. The
/// caller skips vertices without an edge and vertices it has had.
std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k);

/// The same for any graph of so many vertices, at least 1.
std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k);

/// How the expected number of children falls with the depth of a vertex, in trees of the benchmark
/// UTS (Unbalanced Tree Search, Olivier et al., LCPC 2006).
enum class tree_shape : std::uint8_t { fixed, linear, cyclic, binomial, hybrid };

/// What a traversal of a tree counts.
struct tree_totals {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  ///< of the deepest vertex; the root's is 0

  friend bool operator==(const tree_totals&, const tree_totals&) = default;
};

/// A tree of UTS.
struct tree_parameters {
  std::string_view name;
  tree_shape shape = tree_shape::fixed;
  double b0 = 4;            ///< expected children of the root; of a binomial one exactly
  std::uint64_t depth = 6;  ///< D, where geometric trees end or repeat
  std::uint32_t seed = 0;
  double q = 0;             ///< binomial: the probability of having children
  std::uint64_t m = 0;      ///< binomial: how many
  double shift = 0;         ///< hybrid: binomial from depth shift D on
  tree_totals published{};  ///< by the authors, where they have

  static constexpr std::uint64_t largest_depth = std::uint64_t{1} << 16;

  /// Throws `error` (input) for a number out of range.
  void check() const;
};

/// The trees with names, which the authors of UTS published: T1 to T5, T1L, T2L and T3L.
std::span<const tree_parameters> published_trees();

/// The published tree of this name; null where there is none.
const tree_parameters* find_tree(std::string_view name);

/// All that is known of a vertex of a random tree: a SHA-1, as five numbers that are stored
/// big-endian.
struct tree_vertex {
  std::array<std::uint32_t, 5> words{};

  friend bool operator==(const tree_vertex&, const tree_vertex&) = default;
};

/// Children of one vertex, numbered from `first` to before `end`, not yet visited. One can divide
/// them anywhere, and they travel.
struct tree_siblings {
  tree_vertex parent;
  std::uint32_t depth = 0;  ///< of the siblings
  std::uint16_t first = 0;
  std::uint16_t end = 0;

  unsigned count() const { return static_cast<unsigned>(end - first); }
};

namespace graph {
class tree_steps;
}

/// One tree, ready to be traversed. Immutable; any thread may use it. Copies share their memory.
class random_tree {
 public:
  /// How many siblings are visited at once, at most.
  static constexpr unsigned most_visited = 100;

  /// Throws `error` (input) for parameters out of range.
  explicit random_tree(const tree_parameters& parameters);

  /// The children of the root: the first siblings of a traversal, which may be none.
  const tree_siblings& children_of_root() const { return children_of_root_; }

  /// Visits some siblings, 1 to `most_visited`. The children of each that has any are stored from
  /// `found` on, where there is room for as many as are visited and one more. Returns the end of
  /// what it stored: the other visited siblings are leaves.
  tree_siblings* visit(tree_siblings some, tree_siblings* found) const;

 private:
  friend class waiting_siblings;

  std::shared_ptr<const graph::tree_steps> steps_;
  tree_siblings children_of_root_;
};

/// The siblings that a traversal has found and not yet visited: a stack, which also gives its
/// oldest entries away, for they promise the most work. It grows as it needs.
class waiting_siblings {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }

  /// Adds siblings; nothing happens where there are none.
  void push(const tree_siblings& found);

  /// Visits at least `least` vertices, as long as there are any, the latest first, and counts them.
  /// Faster than `random_tree::visit`.
  void visit_some(const random_tree& whole, std::uint64_t least, tree_totals& found);

  /// Takes the oldest siblings away; if there are no others, the second half of them. There must be
  /// more than one vertex.
  tree_siblings take_oldest();

  /// Whether `take_oldest` leaves something here.
  bool can_share() const { return size() > 1 || (size() == 1 && places_[begin_].count() > 1); }

 private:
  tree_siblings pop_some();
  void make_room(std::size_t count);

  std::vector<tree_siblings> places_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace atl

#include "atoll/graph/edge_weight.hpp"
