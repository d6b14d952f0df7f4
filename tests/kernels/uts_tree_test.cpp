#include "atoll/kernels/uts/waiting.hpp"

#include "atoll/random.hpp"
#include "tests/kernels/uts_small_trees.hpp"

#include <gtest/gtest.h>

namespace atl::kernels::uts {
namespace {

TEST(uts_tree, counts_children_as_the_formula_does) {
  random_stream random(1);
  for (const auto& published : published_trees) {
    const tree whole(published);
    for (std::uint64_t depth = 1; depth < 6 * published.depth + 3; ++depth) {
      for (int i = 0; i < 300; ++i) {
        // Small 1 - u, where most steps are, as often as others.
        const auto drawn = static_cast<std::uint32_t>(random.below(k_random_values));
        const auto value = i % 2 == 0 ? drawn : k_random_values - 1 - (drawn >> random.below(31));
        ASSERT_EQ(whole.at_depth(depth)(value), children_by_formula(published, depth, value))
            << published.name << ", depth " << depth << ", value " << value;
      }
    }
  }
}

TEST(uts_tree, is_what_a_recursion_finds) {
  for (const auto& small : small_trees()) {
    const totals right = counted_by_recursion(small);
    const tree whole(small);
    for (const std::uint64_t least : {1, 7, 1000000}) {
      totals found{.nodes = 1, .leaves = whole.children_of_root() == 0 ? 1U : 0U};
      waiting_siblings waiting;
      waiting.push(children_of_root(whole));
      while (!waiting.empty()) waiting.visit_some(whole, least, found);
      EXPECT_EQ(found, right) << small.name << ", " << least << " vertices at a time";
    }
  }
}

TEST(uts_tree, divides_into_parts_that_are_the_whole) {
  for (const auto& small : small_trees()) {
    const tree whole(small);
    totals found{.nodes = 1, .leaves = whole.children_of_root() == 0 ? 1U : 0U};
    std::vector<waiting_siblings> parts(1);
    parts[0].push(children_of_root(whole));
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

TEST(uts_tree, is_known_by_its_name) {
  EXPECT_EQ(find_tree("T1L")->published.nodes, 102181082U);
  EXPECT_EQ(find_tree("T6"), nullptr);
}

}  // namespace
}  // namespace atl::kernels::uts
