// Tests the amount of work that the local steps of the algorithm for minimum spanning forests
// report.

#include "kernels/mst_path.hpp"

#include <gtest/gtest.h>

namespace {

using namespace mst_path;

TEST(mst_work, of_a_sort_is_its_passes) {
  for (const auto& [largest, passes] :
       {std::pair<word, unsigned>{0, 0}, {7, 1}, {2047, 1}, {2048, 2}, {~word{0}, 3}}) {
    atl::huge_vector<word> items = {largest, 0, 0};
    EXPECT_EQ(mst::sort_by_key(items, [](word each) { return each; }), passes * 3) << largest;
  }
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
