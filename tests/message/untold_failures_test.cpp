#include "atoll/message/untold_failures.hpp"

#include "atoll/base/error.hpp"
#include "support/captured_stderr.hpp"

#include <gtest/gtest.h>

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
  failures.tell_old(3, 6 * k_second - 1);
  EXPECT_EQ(said.text(), "");
  for (int i = 0; i < 3; ++i) failures.tell_old(3, 6 * k_second);
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

}  // namespace
}  // namespace atl::message
