#include "atoll/message/untold_failures.hpp"

#include "atoll/error.hpp"
#include "support/captured_stderr.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace atl::message {
namespace {

constexpr transport::nanoseconds k_second = 1'000'000'000;

std::exception_ptr failure_saying(const std::string& text) {
  return std::make_exception_ptr(error(errc::input, text));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(untold_failures, are_told_once_when_they_have_waited_for_a_second) {
  const test::captured_stderr said;
  untold_failures failures;
  failures.add(failure_saying("rhubarb"), site::current(), 5 * k_second);
  EXPECT_EQ(failures.next(), 6 * k_second);
  failures.look(3, 6 * k_second - 1, true);
  EXPECT_EQ(said.text(), "");
  for (int i = 0; i < 3; ++i) failures.look(3, 6 * k_second, true);
  failures.tell_all(3);
  EXPECT_EQ(count(said.text(), "rhubarb"), 1u) << said.text();
  EXPECT_EQ(count(said.text(), "PE 3"), 1u);
  EXPECT_EQ(failures.next(), transport::forever);
  EXPECT_FALSE(failures.empty());
}

TEST(untold_failures, are_not_told_when_somebody_has_them) {
  const test::captured_stderr said;
  untold_failures failures;
  const auto taken = failure_saying("custard");
  failures.add(taken, site::current(), 0);
  EXPECT_TRUE(failures.drop(taken).known());
  EXPECT_FALSE(failures.drop(taken).known());
  failures.tell_all(0);
  EXPECT_EQ(said.text(), "");
  EXPECT_TRUE(failures.empty());
}

TEST(untold_failures, that_say_the_same_are_told_once_and_counted) {
  const test::captured_stderr said;
  untold_failures failures;
  for (int i = 0; i < 900; ++i) failures.add(failure_saying("rhubarb"), {}, 0);
  failures.look(3, 2 * k_second, true);
  EXPECT_EQ(count(said.text(), "rhubarb"), 1u) << said.text();
  failures.tell_all(3);
  EXPECT_EQ(count(said.text(), "rhubarb"), 1u) << said.text();
  EXPECT_EQ(count(said.text(), "PE 3: 899 more parts of scopes have failed"), 1u) << said.text();
}

/// Returns the error that ends the job at `time`, or nothing if the job continues.
std::optional<error> end_at(untold_failures& failures, transport::nanoseconds time,
                            bool has_much = false) {
  try {
    failures.look(3, time, has_much);
  } catch (const error& failure) {
    return failure;
  }
  return std::nullopt;
}

TEST(untold_failures, end_the_job_with_the_first_where_they_are_many_for_a_second) {
  const test::captured_stderr said;
  untold_failures failures;
  failures.add(failure_saying("rhubarb"), site::current(), 0);
  for (std::uint64_t i = 1; i < untold_failures::k_many; ++i)
    failures.add(failure_saying("custard"), {}, 0);
  EXPECT_FALSE(end_at(failures, k_second - 1).has_value());
  const auto end = end_at(failures, k_second);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code(), errc::input);
  EXPECT_EQ(count(end->what(), "rhubarb (in the task spawned at"), 1u) << end->what();
  EXPECT_EQ(count(end->what(), "; 999 more parts of scopes"), 1u) << end->what();
  EXPECT_EQ(said.text(), "");
}

TEST(untold_failures, end_no_job_that_tells_of_them_in_time) {
  untold_failures failures;
  std::vector<std::exception_ptr> all;
  for (std::uint64_t i = 0; i < 2 * untold_failures::k_many; ++i) {
    all.push_back(failure_saying("rhubarb"));
    failures.add(all.back(), {}, 0);
  }
  for (const auto& each : all) {
    EXPECT_FALSE(failures.empty());
    failures.drop(each);
  }
  EXPECT_TRUE(failures.empty());
  EXPECT_FALSE(end_at(failures, 5 * k_second).has_value());
}

TEST(untold_failures, end_the_job_by_a_refusal_where_there_is_no_memory_later) {
  const test::captured_stderr said;
  for (const errc code : {errc::overflow, errc::out_of_memory}) {
    untold_failures failures;
    failures.add(std::make_exception_ptr(error(code, "no room")), {}, 0);
    EXPECT_FALSE(end_at(failures, 5 * k_second - 1, true).has_value());
    EXPECT_EQ(failures.next(), 5 * k_second);
    EXPECT_FALSE(end_at(failures, 5 * k_second, false).has_value());
    EXPECT_EQ(failures.next(), transport::forever);
    const auto end = end_at(failures, 6 * k_second, true);
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->code(), code);
  }
}

TEST(untold_failures, of_other_kinds_may_wait_while_there_is_no_memory) {
  const test::captured_stderr said;
  untold_failures failures;
  failures.add(failure_saying("rhubarb"), {}, 0);
  EXPECT_FALSE(end_at(failures, 60 * k_second, true).has_value());
}

// The job must end at once. A wait of a second could take very long with a simulated clock.
TEST(untold_failures, end_the_job_at_once_where_many_more_come_than_are_told) {
  untold_failures failures;
  const auto one = failure_saying("rhubarb");
  for (std::uint64_t i = 0; i < 2 * untold_failures::k_many; ++i) failures.add(one, {}, 0);
  for (std::uint64_t i = 0; i < untold_failures::k_more - untold_failures::k_many - 1; ++i) {
    EXPECT_FALSE(end_at(failures, 0).has_value());
    failures.drop(one);
    failures.add(one, {}, 0);
  }
  failures.add(one, {}, 0);
  EXPECT_TRUE(end_at(failures, 0).has_value());
}

TEST(untold_failures, end_no_job_at_once_that_tells_of_most) {
  untold_failures failures;
  const auto one = failure_saying("rhubarb");
  for (std::uint64_t i = 0; i < untold_failures::k_many - 1; ++i) failures.add(one, {}, 0);
  for (std::uint64_t i = 0; i < 2 * untold_failures::k_more; ++i) {
    failures.add(one, {}, 0);
    failures.drop(one);
  }
  EXPECT_FALSE(end_at(failures, 0).has_value());
}

}  // namespace
}  // namespace atl::message
