#include "atoll/job/mpi/plugin_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace atl::job {
namespace {

TEST(plugin_places, of_the_runtime_come_before_those_of_the_program) {
  EXPECT_THAT(plugin_folders("/a/lib/libatoll.so", "/b/bin/solver"),
              testing::ElementsAre("/a/lib/atoll", "/a/lib", "/a/lib/lib/atoll", "/b/lib/atoll",
                                   "/b/lib/x86_64-linux-gnu/atoll"));
}

TEST(plugin_places, begin_at_the_program_that_was_linked_with_the_runtime) {
  EXPECT_EQ(file_of_runtime(), std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace atl::job
