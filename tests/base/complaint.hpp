#pragma once
// What a function says of bad input.

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace atl::test {

/// The text of the error with which `action` refuses its input; "no error" when it does not.
std::string complaint(auto&& action) {
  try {
    action();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    EXPECT_EQ(e.exit_status(), 2);
    return e.what();
  }
  return "no error";
}

}  // namespace atl::test
