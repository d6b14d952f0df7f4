// What joining by rounds says that it has done.

#include "kernels/mst_path.hpp"
#include "reproduction/mst/rounds.hpp"

#include <gtest/gtest.h>

namespace {

using namespace mst_path;

// All of an ascending path joins in the first round, each vertex by the edge to the one before; the
// second drops the edges, and finds nothing.
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
