#pragma once
// Scenarios of PEs that share memory and use their endpoints. The scenarios are so small that all
// executions can be explored. The tests compile the library's own sources with the atomic words of
// the model.

#include "transport/litmus/explorer.hpp"

#include <string>
#include <vector>

namespace atl::litmus {

struct scenario {
  std::string name;
  verdict (*explored)(const mutation&);
};

/// Returns scenarios that take a few seconds each.
const std::vector<scenario>& scenarios();

/// Returns scenarios that take longer than those of `scenarios`.
const std::vector<scenario>& large_scenarios();

}  // namespace atl::litmus
