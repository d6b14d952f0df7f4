#pragma once
// The number of children of a vertex in a UTS tree, computed by the published formula or with a
// table.

#include "atoll/random_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace atl::graph::uts {

/// Random values are less than this number.
inline constexpr std::uint32_t k_random_values = 0x80000000u;
/// Largest number of children, except for the root of a binomial tree.
inline constexpr unsigned k_most_children = 100;

/// Returns the expected number of children of a vertex at `depth`: b(d) in the paper. The
/// computation follows the program of the authors.
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

/// Returns the number of children of a vertex with this random value, by the published formula. The
/// formula is slow because it uses logarithms.
inline unsigned children_by_formula(const tree_parameters& of, std::uint64_t depth,
                                    std::uint32_t random) {
  if (depth == 0 && of.shape == tree_shape::binomial) return static_cast<unsigned>(of.b0);
  const double u = static_cast<double>(random) / k_random_values;
  if (is_binomial_at(of, depth)) return u < of.q ? static_cast<unsigned>(of.m) : 0;
  const double p = 1.0 / (1.0 + expected_children(of, depth));
  const double number = std::floor(std::log(1.0 - u) / std::log(1.0 - p));
  return static_cast<unsigned>(std::min(number, double{k_most_children}));
}

/// Computes the number of children at one depth without logarithms. The number is a step function
/// of the random value. The constructor finds the steps by bisection with the formula.
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
    // This line has no branch, because a branch would be mispredicted.
    step += random >= steps_[step].end ? 1 : 0;
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

/// Returns the random value of a vertex. The random value determines the number of children of the
/// vertex.
inline std::uint32_t random_value(const tree_vertex& vertex) {
  return vertex.words[4] & (k_random_values - 1);
}

}  // namespace atl::graph::uts

namespace atl::graph {

/// The step functions for all depths.
class tree_steps {
 public:
  explicit tree_steps(const tree_parameters& of) {
    for (std::uint64_t depth = 1; depth <= last_depth_that_differs(of); ++depth)
      steps_.emplace_back(of, depth);
  }

  /// Returns the function that maps the random value of a vertex at `depth` to its number of
  /// children. `depth` is at least 1.
  const uts::children_steps& at_depth(std::uint64_t depth) const {
    return steps_[std::min<std::uint64_t>(depth, steps_.size()) - 1];
  }

 private:
  static std::uint64_t last_depth_that_differs(const tree_parameters& of) {
    if (of.shape == tree_shape::binomial) return 1;
    if (of.shape == tree_shape::cyclic) return 5 * of.depth + 1;
    return std::max<std::uint64_t>(of.depth, 1);
  }

  std::vector<uts::children_steps> steps_;
};

}  // namespace atl::graph
