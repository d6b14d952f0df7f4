// Tests the counts of work of joining by rounds.

#include "kernels/mst_path.hpp"
#include "reproduction/mst/rounds.hpp"

#include <gtest/gtest.h>

namespace {

using namespace mst_path;

// All vertices of an ascending path join in the first round, each by the edge to the vertex before.
// The second round drops the edges and finds nothing.
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
