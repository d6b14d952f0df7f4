#pragma once
// Makes scenarios usable as parameters of tests.

#include "transport/litmus/scenarios.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace atl::litmus {

inline void PrintTo(const scenario& shown, std::ostream* to) { *to << shown.name; }

inline std::string test_name_of_scenario(const testing::TestParamInfo<scenario>& of) {
  std::string name;
  for (const char c : of.param.name)
    if (c != ',') name += c == ' ' ? '_' : c;
  return name;
}

}  // namespace atl::litmus
