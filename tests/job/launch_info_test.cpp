// Tests what a launcher passes to the programs that it starts, and how these programs get the
// memory of the job.

#include "atoll/job/launch_info.hpp"

#include "atoll/error.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <locale>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace atl::job;

launch_info some_card() {
  launch_info card{3, 7, true, 9, {}};
  card.region.launcher = 1234;
  card.region.shape = {16, {std::uint64_t{1} << 40, std::uint64_t{1} << 35}};
  card.region.descriptors = {900, 901};
  card.region.files = {file_identity{1, 77}, file_identity{1, 78}};
  return card;
}

TEST(launch_info, comes_back_from_its_text) {
  const launch_info card = some_card();
  const launch_info read = card_in(text_of(card));
  EXPECT_EQ(read.pe, 3);
  EXPECT_EQ(read.pes, 7);
  EXPECT_TRUE(read.own_cores);
  EXPECT_EQ(read.core, 9);
  EXPECT_EQ(read.region.launcher, 1234);
  EXPECT_EQ(read.region.shape.slots, 16u);
  EXPECT_EQ(read.region.shape.shares, card.region.shape.shares);
  EXPECT_EQ(read.region.descriptors, card.region.descriptors);
  EXPECT_EQ(read.region.files, card.region.files);
}

TEST(launch_info, is_refused_where_it_is_none) {
  const std::string rest = " 0 0 1 2 3 4 5 6 7 8 9 10";
  EXPECT_NO_THROW(card_in("0 1" + rest));
  for (const std::string& text :
       {std::string(), std::string("1"), "0" + rest, "0 1" + rest + " 11", "1 1" + rest,
        "-1 1" + rest, "0 0" + rest, "0 5000" + rest, std::string("a b c d e f g h i j k l m n")})
    EXPECT_THROW(card_in(text), atl::error) << text;
}

/// A locale with a separator between groups of digits, such as "1 234".
struct grouped_digits : std::numpunct<char> {
  char do_thousands_sep() const override { return ' '; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(launch_info, is_read_alike_in_every_locale) {
  const std::locale former = std::locale::global({std::locale(), new grouped_digits});
  const launch_info read = card_in(text_of(some_card()));
  std::locale::global(former);
  EXPECT_EQ(read.pes, 7);
  EXPECT_EQ(read.region.launcher, 1234);
  EXPECT_EQ(read.region.descriptors, some_card().region.descriptors);
  EXPECT_EQ(read.region.shape.shares, some_card().region.shape.shares);
}

TEST(launch_info, is_none_where_the_variable_is_empty) {
  ASSERT_EQ(setenv(launch_info::variable, "", 1), 0);
  EXPECT_FALSE(has_launch_info());
  EXPECT_FALSE(take_launch_info().has_value());
  unsetenv(launch_info::variable);
}

TEST(launch_info, is_taken_once) {
  ASSERT_EQ(setenv(launch_info::variable, text_of(launch_info{}).c_str(), 1), 0);
  EXPECT_TRUE(has_launch_info());
  EXPECT_TRUE(take_launch_info().has_value());
  EXPECT_FALSE(has_launch_info());
  EXPECT_FALSE(take_launch_info().has_value());
}

/// Returns true if `holds()` is true in a child process, which inherits the same descriptors as a
/// started program.
bool in_child(const auto& holds) {
  const pid_t child = fork();
  if (child == 0) _exit(holds() ? 0 : 1);
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(handed_region, is_that_of_the_launcher_by_inheritance_and_by_way_of_it) {
  const atl::settings options;
  shm::region region(3, options);
  region.header().ended = 5;
  const inherited_region inherited(region);
  const handed_region handed = inherited.handed();
  const auto takes_the_same = [&] {
    shm::region other(3, options, handed.shape, take_descriptors(handed));
    return other.header().ended == 5 && other.symmetric().shares() == region.symmetric().shares();
  };
  EXPECT_TRUE(in_child(takes_the_same));
  // A program between the launcher and this program can close the descriptors, or use their numbers
  // for other files.
  EXPECT_TRUE(in_child([&] {
    close(handed.descriptors[0]);
    return dup2(STDERR_FILENO, handed.descriptors[1]) >= 0 && takes_the_same();
  }));
}

TEST(handed_region, is_refused_where_another_file_is_there) {
  const atl::settings options;
  shm::region region(1, options);
  const inherited_region inherited(region);
  handed_region handed = inherited.handed();
  handed.files[0].inode += 1'000'000;
  EXPECT_THROW(take_descriptors(handed), atl::error);
}

}  // namespace
