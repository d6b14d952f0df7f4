#pragma once
// What PEs that share memory do with their endpoints, small enough to see all executions. The
// sources are those of the library, compiled with the model's atomic words.

#include "transport/litmus/explorer.hpp"

#include <string>
#include <vector>

namespace atl::litmus {

struct scenario {
  std::string name;
  verdict (*explored)(const mutation&);
};

/// Each seen in a few seconds.
const std::vector<scenario>& scenarios();

/// Larger ones.
const std::vector<scenario>& large_scenarios();

}  // namespace atl::litmus
