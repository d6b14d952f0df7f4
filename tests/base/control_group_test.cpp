#include "atoll/machine.hpp"

#include "fake_system.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

using tests::fake_system;

TEST(control_groups, of_version_1_go_from_the_own_group_to_the_mount) {
  const fake_system machine;
  machine.write("proc/self/mountinfo", tests::mounts_of_version_1);
  machine.write("proc/self/cgroup", "8:pids:/\n4:memory:/batch/job7\n0::/\n");
  machine.write("sys/fs/cgroup/memory/batch/job7/memory.limit_in_bytes", "1000\n");
  const auto groups = control_groups("memory", machine.root());
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].directory, machine.root() / "sys/fs/cgroup/memory/batch/job7");
  EXPECT_EQ(groups[2].directory, machine.root() / "sys/fs/cgroup/memory");
  EXPECT_EQ(groups[0].version, 1);
  EXPECT_EQ(groups[0].number("memory.limit_in_bytes"), 1000u);
  EXPECT_EQ(groups[1].number("memory.limit_in_bytes"), std::nullopt);
}

TEST(control_groups, of_version_2_have_one_hierarchy) {
  const fake_system machine;
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("proc/self/cgroup", "0::/user.slice/app\n");
  machine.write("sys/fs/cgroup/user.slice/app/memory.max", "max\n");
  const auto groups = control_groups("pids", machine.root());
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].directory, machine.root() / "sys/fs/cgroup/user.slice/app");
  EXPECT_EQ(groups[0].version, 2);
  EXPECT_EQ(groups[0].number("memory.max"), std::nullopt);
  EXPECT_EQ(groups[0].line("memory.max"), "max");
}

TEST(control_groups, a_container_sees_its_own_group_at_the_mount_point) {
  const fake_system machine;
  // /proc/self/cgroup contains a path of the host, and this path does not exist below the mount
  // point.
  machine.write("proc/self/mountinfo", tests::mounts_of_version_2);
  machine.write("proc/self/cgroup", "0::/docker/0123abcd\n");
  machine.write("sys/fs/cgroup/memory.max", "5\n");
  const auto groups = control_groups("memory", machine.root());
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].number("memory.max"), 5u);
}

TEST(control_groups, a_mounted_subtree_is_the_part_behind_its_root) {
  const fake_system machine;
  machine.write("proc/self/mountinfo",
                "32 31 0:31 /docker/77 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  machine.write("proc/self/cgroup", "4:memory:/docker/77/inner\n");
  machine.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "6\n");
  const auto groups = control_groups("memory", machine.root());
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].number("memory.limit_in_bytes"), 6u);
}

TEST(control_groups, reads_keys_of_tables) {
  const fake_system machine;
  machine.write("memory.stat", "cache 17\ninactive_file 4096\ntotal_inactive_file 8192\n");
  const control_group group{machine.root(), 1};
  EXPECT_EQ(group.number("memory.stat", "inactive_file"), 4096u);
  EXPECT_EQ(group.number("memory.stat", "total_inactive_file"), 8192u);
  EXPECT_EQ(group.number("memory.stat", "file"), std::nullopt);
}

TEST(control_groups, may_be_absent) {
  const fake_system machine;
  EXPECT_TRUE(control_groups("memory", machine.root()).empty());
  machine.write("proc/self/mountinfo", "garbage\n\n - \n1 2 - cgroup\n");
  machine.write("proc/self/cgroup", "garbage\n:\n");
  EXPECT_TRUE(control_groups("memory", machine.root()).empty());
}

}  // namespace
}  // namespace atl
