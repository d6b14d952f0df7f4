// What the local parts say that they have done.

#include "atoll/kernels/mst/contract.hpp"

#include <gtest/gtest.h>

namespace {

namespace mst = atl::kernels::mst;

using word = std::uint32_t;

/// A path over so many vertices of one PE, its weights ascending.
mst::part<word> path(word vertices) {
  mst::part<word> made;
  for (word v = 0; v < vertices; ++v) made.names.push_back(v);
  made.owners.resize(vertices);
  for (word v = 0; v + 1 < vertices; ++v) made.edges.push_back({v, v + 1, v + 1, v});
  return made;
}

TEST(mst_work, of_a_sort_is_its_passes) {
  for (const auto& [largest, passes] :
       {std::pair<word, unsigned>{0, 0}, {7, 1}, {2047, 1}, {2048, 2}, {~word{0}, 3}}) {
    atl::huge_vector<word> items = {largest, 0, 0};
    EXPECT_EQ(mst::sort_by_key(items, [](word each) { return each; }), passes * 3) << largest;
  }
}

// All of an ascending path joins in the first round, each vertex by the edge to the one before; the
// second drops the edges, and finds nothing.
TEST(mst_work, of_rounds_is_their_edges_and_components) {
  auto part = path(100);
  mst::contraction<word> joining(part);
  joining.by_rounds(0);
  EXPECT_EQ(part.chosen.size(), 99u);
  EXPECT_EQ(joining.work().edges_scanned, 2 * 99u);
  EXPECT_EQ(joining.work().components_visited, 200u);
  EXPECT_EQ(joining.work().edges_sorted, 0u);
}

TEST(mst_work, in_order_is_a_sort_and_one_look) {
  auto part = path(100);
  mst::contraction<word> joining(part);
  joining.in_order();
  EXPECT_EQ(part.chosen.size(), 99u);
  EXPECT_EQ(joining.work().edges_sorted, 99u);
  EXPECT_EQ(joining.work().edges_scanned, 2 * 99u);
  EXPECT_EQ(joining.work().components_visited, 100u);
}

}  // namespace
