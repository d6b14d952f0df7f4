#pragma once
// The trees of the Unbalanced Tree Search benchmark (Olivier et al., LCPC 2006): what a vertex is,
// and how many children it has. The trees with names are those its authors published.

#include "atoll/kernels/uts/sha1.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

namespace atl::kernels::uts {

/// What a traversal finds.
struct totals {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  ///< of the deepest vertex; the root's is 0

  friend bool operator==(const totals&, const totals&) = default;
};

/// How the expected number of children falls with the depth.
enum class tree_shape { fixed, linear, cyclic, binomial, hybrid };

struct tree_parameters {
  std::string_view name;
  tree_shape shape = tree_shape::fixed;
  double b0 = 4;            ///< expected children of the root; of a binomial one exactly
  std::uint64_t depth = 6;  ///< D, where geometric trees end or repeat
  std::uint32_t seed = 0;
  double q = 0;         ///< binomial: the probability of having children
  std::uint64_t m = 0;  ///< binomial: how many
  double shift = 0;     ///< hybrid: binomial from depth shift D on
  totals published{};
};

// clang-format off
inline constexpr std::array<tree_parameters, 8> published_trees{{
    {"T1", tree_shape::fixed, 4, 10, 19, 0, 0, 0, {4130071, 3305118, 10}},
    {"T2", tree_shape::cyclic, 6, 16, 502, 0, 0, 0, {4117769, 2342762, 81}},
    {"T3", tree_shape::binomial, 2000, 0, 42, 0.124875, 8, 0, {4112897, 3599034, 1572}},
    {"T4", tree_shape::hybrid, 6, 16, 1, 0.234375, 4, 0.5, {4132453, 3108986, 134}},
    {"T5", tree_shape::linear, 4, 20, 34, 0, 0, 0, {4147582, 2181318, 20}},
    {"T1L", tree_shape::fixed, 4, 13, 29, 0, 0, 0, {102181082, 81746377, 13}},
    {"T2L", tree_shape::cyclic, 7, 23, 220, 0, 0, 0, {96793510, 53791152, 67}},
    {"T3L", tree_shape::binomial, 2000, 0, 7, 0.200014, 5, 0, {111345631, 89076904, 17844}},
}};
// clang-format on

/// The published tree of this name; null where there is none.
inline const tree_parameters* find_tree(std::string_view name) {
  const auto* const found = std::ranges::find(published_trees, name, &tree_parameters::name);
  return found == published_trees.end() ? nullptr : found;
}

inline constexpr std::uint32_t k_random_values = 0x80000000u;  ///< of the generator, from 0 on
inline constexpr unsigned k_most_children = 100;               ///< except for a binomial root

/// b(d), as the authors' program computes it.
inline double expected_children(const tree_parameters& of, std::uint64_t depth) {
  const auto d = static_cast<double>(depth);
  const auto limit = static_cast<double>(of.depth);
  if (depth == 0) return of.b0;
  switch (of.shape) {
  case tree_shape::fixed:
    return depth < of.depth ? of.b0 : 0;
  case tree_shape::cyclic:
    if (depth > 5 * of.depth) return 0;
    return std::pow(of.b0, std::sin(2.0 * std::numbers::pi * d / limit));
  default:
    return depth < of.depth ? of.b0 * (1.0 - d / limit) : 0;
  }
}

inline bool is_binomial_at(const tree_parameters& of, std::uint64_t depth) {
  return of.shape == tree_shape::binomial ||
         (of.shape == tree_shape::hybrid &&
          static_cast<double>(depth) >= of.shift * static_cast<double>(of.depth));
}

/// The number of children of a vertex with this random value, by the published formula. Slow.
inline unsigned children_by_formula(const tree_parameters& of, std::uint64_t depth,
                                    std::uint32_t random) {
  if (depth == 0 && of.shape == tree_shape::binomial) return static_cast<unsigned>(of.b0);
  const double u = static_cast<double>(random) / k_random_values;
  if (is_binomial_at(of, depth)) return u < of.q ? static_cast<unsigned>(of.m) : 0;
  const double p = 1.0 / (1.0 + expected_children(of, depth));
  const double number = std::floor(std::log(1.0 - u) / std::log(1.0 - p));
  return static_cast<unsigned>(std::min(number, double{k_most_children}));
}

/// The number of children at one depth, without the logarithm: it is a step function of the random
/// value, whose steps are found by bisection of the formula.
class children_steps {
 public:
  children_steps(const tree_parameters& of, std::uint64_t depth) {
    for (std::uint32_t begin = 0; begin < k_random_values; begin = steps_.back().end) {
      const unsigned number = children_by_formula(of, depth, begin);
      std::uint32_t end = k_random_values;
      for (std::uint32_t same = begin; end - same > 1;) {
        const std::uint32_t middle = same + (end - same) / 2;
        (children_by_formula(of, depth, middle) == number ? same : end) = middle;
      }
      steps_.push_back({end, number});
    }
    std::uint8_t step = 0;
    for (std::uint32_t i = 0; i < first_step_.size(); ++i) {
      while (steps_[step].end <= i << k_shift) ++step;
      first_step_[i] = step;
    }
  }

  unsigned operator()(std::uint32_t random) const {
    std::size_t step = first_step_[random >> k_shift];
    step += random >= steps_[step].end ? 1 : 0;  // without a branch: nobody could foretell it
    while (random >= steps_[step].end) [[unlikely]]
      ++step;
    return steps_[step].children;
  }

 private:
  struct step {
    std::uint32_t end;
    std::uint32_t children;
  };

  static constexpr unsigned k_shift = 22;

  std::array<std::uint8_t, (k_random_values >> k_shift)> first_step_;
  std::vector<step> steps_;
};

/// One tree, ready to be traversed. Immutable.
class tree {
 public:
  explicit tree(const tree_parameters& parameters)
      : root_(root_of(parameters.seed)),
        children_of_root_(children_by_formula(parameters, 0, random_value(root_))) {
    for (std::uint64_t depth = 1; depth <= last_depth_that_differs(parameters); ++depth)
      steps_.emplace_back(parameters, depth);
  }

  const state& root() const { return root_; }
  unsigned children_of_root() const { return children_of_root_; }

  /// The number of children of the vertices at a depth of 1 or more, as a function of their random
  /// value.
  const children_steps& at_depth(std::uint64_t depth) const {
    return steps_[std::min<std::uint64_t>(depth, steps_.size()) - 1];
  }

  static std::uint32_t random_value(const state& vertex) {
    return vertex.words[4] & (k_random_values - 1);
  }

 private:
  static std::uint64_t last_depth_that_differs(const tree_parameters& of) {
    if (of.shape == tree_shape::binomial) return 1;
    if (of.shape == tree_shape::cyclic) return 5 * of.depth + 1;
    return std::max<std::uint64_t>(of.depth, 1);
  }

  state root_;
  unsigned children_of_root_;
  std::vector<children_steps> steps_;
};

// The step every traversal of a tree of UTS is made of: visit some children of one vertex.

/// Children of one vertex, numbered from `first` to before `end`, not yet visited. One can divide
/// them anywhere, and they travel.
struct siblings {
  state parent;
  std::uint32_t depth = 0;  ///< of the siblings
  std::uint16_t first = 0;
  std::uint16_t end = 0;

  unsigned count() const { return static_cast<unsigned>(end - first); }
};

inline siblings children_of_root(const tree& whole) {
  return {whole.root(), 1, 0, static_cast<std::uint16_t>(whole.children_of_root())};
}

/// How many siblings `visit` takes at most, so that their children find room.
inline constexpr unsigned k_most_visited = k_most_children;

/// Visits at most k_most_visited siblings. The children of each that has any are stored from
/// `found` on, where there is room for as many as are visited and one more; returns the end of what
/// it stored. Without branches that depend on random values: the processor would have to wait for
/// each.
inline siblings* visit(const tree& whole, const siblings visited, siblings* found) {
  const children_steps& steps = whole.at_depth(visited.depth);
  const auto store = [&](const state& vertex) {
    const unsigned children = steps(tree::random_value(vertex));
    *found = {vertex, visited.depth + 1, 0, static_cast<std::uint16_t>(children)};
    found += children > 0 ? 1 : 0;
  };
  unsigned next = visited.first;
  for (; next + 2 <= visited.end; next += 2) {
    for (const state& vertex : children_of<2>(visited.parent, next)) store(vertex);
  }
  if (next < visited.end) store(children_of<1>(visited.parent, next)[0]);
  return found;
}

}  // namespace atl::kernels::uts
