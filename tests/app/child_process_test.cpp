#include "app/driver/child_process.hpp"

#include <csignal>
#include <gtest/gtest.h>

namespace atl::app {
namespace {

TEST(run_child, returns_output_and_status) {
  const auto result = run_child({"sh", "-c", "echo one; echo two; exit 5"});
  EXPECT_EQ(result.output, "one\ntwo\n");
  EXPECT_EQ(result.status, 5);
}

TEST(run_child, passes_arguments_as_they_are) {
  EXPECT_EQ(run_child({"printf", "%s|", "a b", "", "*"}).output, "a b||*|");
}

TEST(run_child, reads_output_longer_than_a_pipe) {
  const auto result = run_child({"sh", "-c", "head -c 1000000 /dev/zero"});
  EXPECT_EQ(result.output.size(), 1000000u);
}

TEST(run_child, tells_a_signal_from_a_status) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}).status, 128 + SIGKILL);
}

TEST(run_child, may_give_the_child_more_processors_than_this_thread_has) {
  const auto all = present_processors();
  ASSERT_TRUE(all.has_value());
  const std::vector<std::string> look = {"grep", "Cpus_allowed_list", "/proc/self/status"};
  const auto before = run_child(look).output;
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &*all)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const auto pinned = run_child(look).output;
  const auto unpinned = run_child(look, all).output;
  sched_setaffinity(0, sizeof *all, &*all);
  EXPECT_EQ(unpinned, before);
  if (CPU_COUNT(&*all) > 1) {
    EXPECT_NE(pinned, before);
  }
}

TEST(run_child, a_program_that_is_not_there_is_status_127) {
  EXPECT_EQ(run_child({"/nowhere/at/all"}).status, 127);
}

TEST(find_in_path, finds_programs) {
  EXPECT_TRUE(find_in_path("sh").ends_with("/sh"));
  EXPECT_EQ(find_in_path("no-program-has-this-name"), "");
}

}  // namespace
}  // namespace atl::app
