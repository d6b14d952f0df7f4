// Tests the amount of work that is counted when components are joined in rounds.

#include "kernels/mst_path.hpp"
#include "reproduction/mst/rounds.hpp"

#include <gtest/gtest.h>

namespace {

using namespace mst_path;

// In the first round, all vertices of an ascending path join: each vertex joins by the edge to the
// previous vertex. The second round removes the edges within the component, and finds none to join.
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
