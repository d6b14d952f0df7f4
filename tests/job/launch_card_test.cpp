// What a launcher says to the programs it starts.

#include "atoll/job/launch_card.hpp"

#include "atoll/base/error.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <locale>

namespace {

using namespace atl::job;

TEST(launch_card, comes_back_from_its_text) {
  const launch_card card{3, 7, true, 9, {1234, 5, 6, std::uint64_t{1} << 40}};
  const launch_card read = card_in(text_of(card));
  EXPECT_EQ(read.pe, 3);
  EXPECT_EQ(read.pes, 7);
  EXPECT_TRUE(read.own_cores);
  EXPECT_EQ(read.core, 9);
  EXPECT_EQ(read.place.process, 1234);
  EXPECT_EQ(read.place.memory, 5);
  EXPECT_EQ(read.place.segments, 6);
  EXPECT_EQ(read.place.segment_bytes, std::uint64_t{1} << 40);
}

TEST(launch_card, is_refused_where_it_is_none) {
  for (const char* text :
       {"", "1", "0 1 0 0 1 2 3", "0 1 0 0 1 2 3 4 5", "1 1 0 0 1 2 3 4", "-1 1 0 0 1 2 3 4",
        "0 0 0 0 1 2 3 4", "0 5000 0 0 1 2 3 4", "a b c d e f g"})
    EXPECT_THROW(card_in(text), atl::error) << text;
}

/// Groups digits, as some languages do: "1 234" is one number there.
struct grouped_digits : std::numpunct<char> {
  char do_thousands_sep() const override { return ' '; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(launch_card, is_read_alike_in_every_locale) {
  const std::locale former = std::locale::global({std::locale(), new grouped_digits});
  const launch_card read = card_in(text_of({3, 7, true, 9, {1234, 567, 678, 4096}}));
  std::locale::global(former);
  EXPECT_EQ(read.pes, 7);
  EXPECT_EQ(read.place.process, 1234);
  EXPECT_EQ(read.place.memory, 567);
  EXPECT_EQ(read.place.segment_bytes, 4096U);
}

TEST(launch_card, is_none_where_the_variable_is_empty) {
  ASSERT_EQ(setenv(launch_card::variable, "", 1), 0);
  EXPECT_FALSE(has_launch_card());
  EXPECT_FALSE(take_launch_card().has_value());
  unsetenv(launch_card::variable);
}

TEST(launch_card, is_taken_once) {
  ASSERT_EQ(setenv(launch_card::variable, text_of({0, 1, false, -1, {1, 2, 3, 4096}}).c_str(), 1),
            0);
  EXPECT_TRUE(has_launch_card());
  EXPECT_TRUE(take_launch_card().has_value());
  EXPECT_FALSE(has_launch_card());
  EXPECT_FALSE(take_launch_card().has_value());
}

}  // namespace
