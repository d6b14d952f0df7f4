#pragma once

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace atl::test {

/// Runs `call`, which must throw an error about invalid input. Returns the text of the error.
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
