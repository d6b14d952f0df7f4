#include "atoll/machine.hpp"

#include "fake_system.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

using tests::fake_system;
constexpr std::uint64_t gib = 1ull << 30;

TEST(memory_status, without_a_group_is_what_the_machine_has) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  const auto status = read_memory_status(machine.root());
  EXPECT_EQ(status.machine_total, 8 * gib);
  EXPECT_EQ(status.machine_available, 4 * gib);
  EXPECT_EQ(status.group_limit, std::nullopt);
  EXPECT_EQ(status.free(), 4 * gib);
}

TEST(memory_status, version_1_limit_counts_without_file_pages) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  machine.write("proc/self/mountinfo", tests::mounts_of_version_1);
  machine.write("proc/self/cgroup", "4:memory:/job\n");
  machine.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n");
  machine.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1610612736\n");
  machine.write("sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file 1073741824\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const auto status = read_memory_status(machine.root());
  EXPECT_EQ(status.group_limit, 2 * gib);
  EXPECT_EQ(status.group_used, gib / 2);
  EXPECT_EQ(status.free(), gib + gib / 2);
  EXPECT_TRUE(status.group.ends_with("memory/job/memory.limit_in_bytes"));
}

TEST(memory_status, version_2_limit_of_an_outer_group_binds) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("proc/self/cgroup", "0::/outer/inner\n");
  machine.write("sys/fs/cgroup/outer/inner/memory.max", "3221225472\n");
  machine.write("sys/fs/cgroup/outer/inner/memory.current", "0\n");
  machine.write("sys/fs/cgroup/outer/memory.max", "1073741824\n");
  machine.write("sys/fs/cgroup/outer/memory.current", "536870912\n");
  const auto status = read_memory_status(machine.root());
  EXPECT_EQ(status.group_limit, gib);
  EXPECT_EQ(status.free(), gib / 2);
}

TEST(memory_status, a_limit_above_what_the_machine_has_does_not_help) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("sys/fs/cgroup/memory.max", "34359738368\n");
  EXPECT_EQ(read_memory_status(machine.root()).free(), 4 * gib);
}

TEST(memory_status, an_exhausted_group_leaves_nothing) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("sys/fs/cgroup/memory.max", "1000\n");
  machine.write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(read_memory_status(machine.root()).free(), 0u);
}

TEST(memory_status, usable_is_the_smaller_of_machine_and_group) {
  const fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  EXPECT_EQ(read_memory_status(machine.root()).usable(), 8 * gib);
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("sys/fs/cgroup/memory.max", "1073741824\n");
  EXPECT_EQ(read_memory_status(machine.root()).usable(), gib);
  machine.write("sys/fs/cgroup/memory.max", "34359738368\n");
  EXPECT_EQ(read_memory_status(machine.root()).usable(), 8 * gib);
}

TEST(memory_status, of_this_machine_is_plausible) {
  const auto status = read_memory_status();
  EXPECT_GT(status.machine_total, 0u);
  EXPECT_LE(status.machine_available, status.machine_total);
  EXPECT_LE(status.free(), status.machine_available);
}

}  // namespace
}  // namespace atl
