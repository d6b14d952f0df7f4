#pragma once
// Functions that return the text of an error about bad input.

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace atl::test {

/// Returns the text of the error with which `action` refuses its input, or "no error".
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
