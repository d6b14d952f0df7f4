// Tests the refinement of communities, which divides each community into connected parts. The tests
// refine a star, whose vertices are divided over all PEs. The vertices are divided into classes,
// and vertices of one class move at the same time. No vertex may join a part that another vertex
// leaves.

#include "atoll/kernels/communities/refine.hpp"

#include "support/run_on.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace atl;
using namespace atl::kernels::communities;

constexpr std::uint32_t k_leaves = 96;

class refinement_of_a_star : public test::on_pes {};

/// Returns this PE's rows of a star. Vertex 0 is the centre, and all vertices are one community.
level<std::uint32_t> star_here() {
  level<std::uint32_t> star;
  star.shape.vertices = k_leaves + 1;
  for (int pe = 0; pe <= pes(); ++pe)
    star.shape.boundaries.push_back((k_leaves + 1) * static_cast<std::uint64_t>(pe) /
                                    static_cast<std::uint64_t>(pes()));
  star.first = star.shape.begin(my_pe());
  star.own_offsets.assign(1, 0);
  for (std::uint64_t v = star.first; v < star.shape.end(my_pe()); ++v) {
    for (std::uint32_t leaf = 1; v == 0 && leaf <= k_leaves; ++leaf)
      star.own_targets.push_back(leaf);
    if (v != 0) star.own_targets.push_back(0);
    star.own_offsets.push_back(star.own_targets.size());
  }
  star.mass.assign(k_leaves + 1, 1);
  star.mass[0] = k_leaves;
  star.community.assign(k_leaves + 1, 0);
  star.show_own();
  return star;
}

/// Returns keys for which the centre of the star is in the class of vertices that moves first. If
/// leaves of the star moved first, they would join the centre's part, and the centre could not
/// move.
std::vector<std::uint64_t> keys_that_move_the_centre_first() {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; keys.size() < 8; ++key)
    if (class_of(0, key) == 0) keys.push_back(key);
  return keys;
}

/// Expects that every part of several vertices contains the centre. Leaves are connected only
/// through the centre.
void expect_connected(const huge_vector<std::uint32_t>& parts) {
  for (std::uint32_t v = 1; v <= k_leaves; ++v) {
    const auto same = [&](std::uint32_t part) { return part == parts[v]; };
    EXPECT_TRUE(parts[v] == parts[0] || std::ranges::count_if(parts, same) == 1) << v;
  }
}

TEST_P(refinement_of_a_star, makes_parts_that_are_connected) {
  run_spmd([]() -> task<> {
    for (const std::uint64_t key : keys_that_move_the_centre_first()) {
      const auto star = star_here();
      huge_vector<std::int64_t> totals(k_leaves + 1);
      totals[0] = 2 * k_leaves;
      refinement<std::uint32_t> refining(star, totals, 0.5 / (2 * k_leaves), key);
      const auto parts = co_await refining.all_refine();
      EXPECT_GT(std::ranges::count(parts, parts[0]), 1) << key;
      expect_connected(parts);
    }
  });
}

ATOLL_RUN_ON(refinement_of_a_star, 1, 2, 3, 5);

}  // namespace
