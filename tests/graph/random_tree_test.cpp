#include "atoll/error.hpp"
#include "atoll/graph/uts/steps.hpp"
#include "atoll/random.hpp"
#include "atoll/random_graph.hpp"
#include "support/refusal.hpp"
#include "tests/graph/uts_small_trees.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace atl {
namespace {

using namespace graph::uts;

TEST(tree_steps, counts_children_as_the_formula_does) {
  random_stream random(1);
  for (const auto& published : published_trees()) {
    const graph::tree_steps whole(published);
    for (std::uint64_t depth = 1; depth < 6 * published.depth + 3; ++depth) {
      for (int i = 0; i < 300; ++i) {
        // Half of the random values are close to their maximum, where the number of children
        // changes most often.
        const auto drawn = static_cast<std::uint32_t>(random.below(k_random_values));
        const auto value = i % 2 == 0 ? drawn : k_random_values - 1 - (drawn >> random.below(31));
        ASSERT_EQ(whole.at_depth(depth)(value), children_by_formula(published, depth, value))
            << published.name << ", depth " << depth << ", value " << value;
      }
    }
  }
}

/// Counts the vertices in the subtrees of some siblings. Each call visits at most `most` siblings.
void traverse(const random_tree& tree, tree_siblings some, unsigned most, tree_totals& found) {
  while (some.count() > 0) {
    tree_siblings now = some;
    now.end = static_cast<std::uint16_t>(some.first + std::min(some.count(), most));
    some.first = now.end;
    std::vector<tree_siblings> below(now.count() + 1);
    const auto* const end = tree.visit(now, below.data());
    below.resize(static_cast<std::size_t>(end - below.data()));
    found.nodes += now.count();
    found.leaves += now.count() - below.size();
    found.depth = std::max<std::uint64_t>(found.depth, now.depth);
    for (const auto& children : below) traverse(tree, children, most, found);
  }
}

TEST(random_tree, is_what_a_recursion_finds_however_siblings_are_divided) {
  for (const auto& small : small_trees()) {
    const random_tree tree(small);
    for (const unsigned most : {1u, 2u, 7u, random_tree::most_visited}) {
      tree_totals found{.nodes = 1, .leaves = tree.children_of_root().count() == 0 ? 1U : 0U};
      traverse(tree, tree.children_of_root(), most, found);
      EXPECT_EQ(found, counted_by_recursion(small)) << small.name << ", " << most << " at once";
    }
  }
}

TEST(random_tree, is_known_by_its_name) {
  EXPECT_EQ(find_tree("T1L")->published.nodes, 102181082U);
  EXPECT_EQ(find_tree("T6"), nullptr);
  EXPECT_EQ(published_trees().size(), 8U);
}

TEST(random_tree, refuses_numbers_out_of_range) {
  const auto refused = [](const tree_parameters& wrong) {
    return test::refusal_of([&] { random_tree{wrong}; });
  };
  EXPECT_EQ(refused({.name = "wrong", .b0 = 65536}),
            "b0 of a tree: 65536 is out of range (0 to 65535)");
  EXPECT_EQ(refused({.name = "wrong", .b0 = std::nan("")}),
            "b0 of a tree: nan is out of range (0 to 65535)");
  EXPECT_EQ(refused({.name = "wrong", .depth = 0}),
            "depth of a tree: 0 is out of range (1 to 65536)");
  EXPECT_EQ(refused({.name = "wrong", .shape = tree_shape::binomial, .q = 1.5}),
            "q of a tree: 1.5 is out of range (0 to 1)");
  EXPECT_EQ(refused({.name = "wrong", .shape = tree_shape::binomial, .m = 70000}),
            "m of a tree: 70000 is out of range (0 to 65535)");
  EXPECT_EQ(refused({.name = "wrong", .shape = tree_shape::hybrid, .shift = -1}),
            "shift of a tree: -1 is out of range (0 to 65536)");
}

}  // namespace
}  // namespace atl
