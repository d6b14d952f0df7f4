#include "atoll/random_graph.hpp"

#include "tests/graph/uts_small_trees.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

using graph::uts::counted_by_recursion;
using graph::uts::small_trees;

TEST(waiting_siblings, is_what_a_recursion_finds) {
  for (const auto& small : small_trees()) {
    const tree_totals right = counted_by_recursion(small);
    const random_tree whole(small);
    for (const std::uint64_t least : {1, 7, 1000000}) {
      tree_totals found{.nodes = 1, .leaves = whole.children_of_root().count() == 0 ? 1U : 0U};
      waiting_siblings waiting;
      waiting.push(whole.children_of_root());
      while (!waiting.empty()) waiting.visit_some(whole, least, found);
      EXPECT_EQ(found, right) << small.name << ", " << least << " vertices at a time";
    }
  }
}

TEST(waiting_siblings, divides_into_parts_that_are_the_whole) {
  for (const auto& small : small_trees()) {
    const random_tree whole(small);
    tree_totals found{.nodes = 1, .leaves = whole.children_of_root().count() == 0 ? 1U : 0U};
    std::vector<waiting_siblings> parts(1);
    parts[0].push(whole.children_of_root());
    while (!parts.empty()) {
      waiting_siblings part = std::move(parts.back());
      parts.pop_back();
      part.visit_some(whole, 3, found);
      if (part.can_share()) {
        parts.emplace_back();
        parts.back().push(part.take_oldest());
      }
      if (!part.empty()) parts.push_back(std::move(part));
    }
    EXPECT_EQ(found, counted_by_recursion(small)) << small.name;
  }
}

}  // namespace
}  // namespace atl
