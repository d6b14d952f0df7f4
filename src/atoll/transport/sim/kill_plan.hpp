#pragma once
// The setting sim-kill: which PE of a simulated job dies, and when.

#include "atoll/transport/transport.hpp"

#include <string_view>

namespace atl::transport::sim {

struct kill_plan {
  int pe = -1;
  nanoseconds time = forever;

  /// "2@150us"; "" is nobody. Throws `error` (input), also for a PE the job has not.
  static kill_plan parse(std::string_view text, int pes);
};

}  // namespace atl::transport::sim
