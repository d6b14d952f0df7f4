#include "atoll/error.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

TEST(error, carries_its_code_and_text) {
  try {
    fail(errc::input, "--pes: {} is out of range ({} to {})", 0, 1, 1024);
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    EXPECT_STREQ(e.what(), "--pes: 0 is out of range (1 to 1024)");
  }
}

TEST(error, decides_the_exit_status) {
  const auto status = [](errc code) { return error(code, "").exit_status(); };
  EXPECT_EQ(status(errc::input), 2);
  EXPECT_EQ(status(errc::environment), 2);
  EXPECT_EQ(status(errc::out_of_memory), 2);
  EXPECT_EQ(status(errc::overflow), 2);
  EXPECT_EQ(status(errc::wrong_result), 1);
  EXPECT_EQ(status(errc::hang), 3);
  EXPECT_EQ(status(errc::remote), 4);
  EXPECT_EQ(status(errc::peer_died), 4);
  EXPECT_EQ(status(errc::internal), 4);
}

TEST(assertion, is_silent_when_it_holds) { ATOLL_ASSERT(1 + 1 == 2, "arithmetic holds"); }

TEST(assertion_death, says_where_and_what) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ATOLL_ASSERT(1 + 1 == 3, "a task was awaited twice"),
              testing::KilledBySignal(SIGABRT), "error_test.cpp:[0-9]+: a task was awaited twice");
}

}  // namespace
}  // namespace atl
