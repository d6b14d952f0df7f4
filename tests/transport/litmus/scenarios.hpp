#pragma once
// Scenarios of PEs that share memory and use their endpoints. They are small enough to see all
// executions. The sources are those of the library, compiled with the model's atomic words.

#include "transport/litmus/explorer.hpp"

#include <string>
#include <vector>

namespace atl::litmus {

struct scenario {
  std::string name;
  verdict (*explored)(const mutation&);
};

/// Returns scenarios that each take a few seconds.
const std::vector<scenario>& scenarios();

/// Returns larger scenarios.
const std::vector<scenario>& large_scenarios();

}  // namespace atl::litmus
