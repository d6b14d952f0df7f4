#include "atoll/transport/site_word.hpp"

#include <gtest/gtest.h>

namespace atoll::transport {
namespace {

TEST(site_word, comes_back_as_the_same_site) {
  const site here = site::current();
  EXPECT_EQ(to_string(site_of_word(site_word(here))), to_string(here));
}

TEST(site_word, of_nowhere_or_of_garbage_is_unknown) {
  EXPECT_FALSE(site_of_word(0).known());
  EXPECT_FALSE(site_of_word(site_word(site())).known());
  EXPECT_FALSE(site_of_word(0x123456789abcdef0).known());
  EXPECT_FALSE(site_of_word(site_word(site::current()) + 1).known());
}

}  // namespace
}  // namespace atoll::transport
