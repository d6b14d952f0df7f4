#include "atoll/base/site.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

site here(site where = site::current()) { return where; }

struct waiter {
  explicit waiter(site where = site::current()) : place(where) {}
  site place;
};

template <class Value>
site through_a_template(Value, site where = site::current()) {
  return where;
}

TEST(site, is_the_place_of_the_call) {
  EXPECT_EQ(here().line(), std::uint32_t(__LINE__));
  EXPECT_EQ(waiter().place.line(), std::uint32_t(__LINE__));
  EXPECT_EQ(through_a_template(1).line(), std::uint32_t(__LINE__));
  EXPECT_STREQ(here().file(), __FILE__);
}

TEST(site, text_has_the_base_name_of_the_file) {
  EXPECT_EQ(to_string(here()), "site_test.cpp:" + std::to_string(__LINE__));
}

TEST(site, survives_as_a_word) {
  const site place = here();
  const std::uint64_t word = place.word();
  EXPECT_NE(word, 0u);
  EXPECT_EQ(site::from_word(word).line(), place.line());
  EXPECT_EQ(to_string(site::from_word(word)), to_string(place));
}

TEST(site, may_be_nowhere) {
  EXPECT_FALSE(site().known());
  EXPECT_EQ(site().word(), 0u);
  EXPECT_EQ(to_string(site::from_word(0)), "nowhere");
}

}  // namespace
}  // namespace atl
