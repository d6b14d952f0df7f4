// Tests the tree of collectives. The tree contains every PE once, and few edges of the tree cross
// the network.

#include "atoll/memory/collective_tree.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using atl::memory::place_in_tree;

namespace {

std::vector<int> nodes_of(int pes, int node_size) {
  std::vector<int> nodes;
  for (int pe = 0; pe < pes; ++pe) nodes.push_back(pe / node_size);
  return nodes;
}

class trees : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  int pes = GetParam().first;
  std::vector<int> nodes = nodes_of(GetParam().first, GetParam().second);
};

TEST_P(trees, children_know_their_parents_and_all_pes_are_reached) {
  std::vector<int> reached{0};
  EXPECT_EQ(place_in_tree(0, nodes).parent, -1);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto place = place_in_tree(reached[i], nodes);
    EXPECT_LE(place.children.size(), 4u);
    for (std::size_t child = 0; child < place.children.size(); ++child) {
      const auto below = place_in_tree(place.children[child], nodes);
      EXPECT_EQ(below.parent, reached[i]);
      EXPECT_EQ(below.number_at_parent, static_cast<int>(child));
      reached.push_back(place.children[child]);
    }
    ASSERT_LE(reached.size(), static_cast<std::size_t>(pes));
  }
  std::ranges::sort(reached);
  std::vector<int> all(static_cast<std::size_t>(pes));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(reached, all);
}

TEST_P(trees, one_edge_leads_to_each_other_node) {
  int crossings = 0;
  for (int pe = 1; pe < pes; ++pe) {
    const int parent = place_in_tree(pe, nodes).parent;
    if (nodes[static_cast<std::size_t>(pe)] != nodes[static_cast<std::size_t>(parent)]) ++crossings;
  }
  EXPECT_EQ(crossings, nodes.back());
}

INSTANTIATE_TEST_SUITE_P(sizes, trees,
                         testing::Values(std::pair(1, 1), std::pair(2, 1), std::pair(7, 7),
                                         std::pair(8, 3), std::pair(16, 1), std::pair(64, 16),
                                         std::pair(100, 9)));

}  // namespace
