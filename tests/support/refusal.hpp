#pragma once

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace atl::test {

/// Returns the text of the error with which a call is refused as wrong input.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    return refused.what();
  }
  return "not refused";
}

}  // namespace atl::test
