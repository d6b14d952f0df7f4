#include "atoll/machine.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace atl {
namespace {

cpu_set_t affinity() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return mask;
}

TEST(topology, lists_the_processors_of_the_affinity_mask_once) {
  const auto machine = read_topology();
  const auto mask = affinity();
  EXPECT_EQ(int(machine.pin_order.size()), CPU_COUNT(&mask));
  for (const int id : machine.pin_order) EXPECT_TRUE(CPU_ISSET(id, &mask)) << id;
  auto sorted = machine.pin_order;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

TEST(topology, has_at_least_one_core_and_not_more_than_processors) {
  const auto machine = read_topology();
  EXPECT_GE(machine.cores, 1u);
  EXPECT_LE(machine.cores, machine.affinity_cores);
  EXPECT_LE(machine.affinity_cores, machine.pin_order.size());
  EXPECT_FALSE(machine.cpu_model.empty());
}

TEST(topology, follows_a_smaller_affinity_mask) {
  const auto before = affinity();
  const int last = read_topology().pin_order.back();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const auto machine = read_topology();
  EXPECT_EQ(machine.cores, 1u);
  EXPECT_EQ(machine.pin_order, std::vector<int>{last});
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace atl
