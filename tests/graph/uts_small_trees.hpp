#pragma once
// Trees of the UTS benchmark that are small enough to be counted by simple recursion.

#include "atoll/graph/uts/sha1.hpp"
#include "atoll/graph/uts/steps.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::graph::uts {

/// Returns small trees: one of each shape that the benchmark defines, a root with many children, a
/// single root, and a path.
inline std::vector<tree_parameters> small_trees() {
  return {
      {.name = "fixed", .shape = tree_shape::fixed, .b0 = 4, .depth = 6, .seed = 19},
      {.name = "linear", .shape = tree_shape::linear, .b0 = 4, .depth = 10, .seed = 34},
      {.name = "cyclic", .shape = tree_shape::cyclic, .b0 = 3, .depth = 5, .seed = 502},
      {.name = "binomial", .shape = tree_shape::binomial, .b0 = 50, .seed = 42, .q = 0.24, .m = 4},
      {.name = "hybrid",
       .shape = tree_shape::hybrid,
       .b0 = 5,
       .depth = 8,
       .seed = 1,
       .q = 0.23,
       .m = 4,
       .shift = 0.5},
      {.name = "wide", .shape = tree_shape::binomial, .b0 = 2001, .seed = 3, .q = 0.1, .m = 3},
      {.name = "alone", .shape = tree_shape::fixed, .b0 = 0, .depth = 6, .seed = 1},
      {.name = "path", .shape = tree_shape::binomial, .b0 = 1, .seed = 7, .q = 0.999, .m = 1},
  };
}

inline void count_below(const tree_parameters& of, const tree_vertex& vertex, std::uint64_t depth,
                        tree_totals& found) {
  ++found.nodes;
  found.depth = std::max(found.depth, depth);
  const unsigned children = children_by_formula(of, depth, random_value(vertex));
  if (children == 0) ++found.leaves;
  for (std::uint32_t i = 0; i < children; ++i) {
    std::array<tree_vertex, 1> child;
    sha1::portable_children(vertex, i, child);
    count_below(of, child[0], depth + 1, found);
  }
}

/// Counts the nodes of a tree by recursion, exactly as the published definition says.
inline tree_totals counted_by_recursion(const tree_parameters& of) {
  tree_totals found;
  count_below(of, root_of(of.seed), 0, found);
  return found;
}

}  // namespace atl::graph::uts
