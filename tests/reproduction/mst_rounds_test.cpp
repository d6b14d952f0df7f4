// Tests the amount of work that the algorithm for minimum spanning trees counts when it joins
// components in rounds.

#include "kernels/mst_path.hpp"
#include "reproduction/mst/rounds.hpp"

#include <gtest/gtest.h>

namespace {

using namespace mst_path;

// The weights of the path's edges ascend. In the first round, each vertex joins the previous
// vertex, so all vertices are one component. The second round removes all edges, because both ends
// of each edge are in the same component.
TEST(mst_rounds, are_their_edges_and_components) {
  auto part = path(100);
  atl::reproduction::contraction_by_rounds<word> joining(part);
  joining.by_rounds(0);
  EXPECT_EQ(part.chosen.size(), 99u);
  EXPECT_EQ(joining.work().edges_scanned, 2 * 99u);
  EXPECT_EQ(joining.work().components_visited, 200u);
  EXPECT_EQ(joining.work().edges_sorted, 0u);
}

}  // namespace
