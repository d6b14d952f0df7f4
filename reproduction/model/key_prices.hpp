#pragma once
// Measures the costs of the steps by which one PE sorts keys, for the performance model of a
// cluster. The measured code is the code of the kernel.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds per key on one PE.
struct steps_of_a_key {
  double counted = 0;
  double placed = 0;
  double appended = 0;  ///< time to append a key to its bucket, without the cost of the cache line
};

/// Measures the costs in a job of one PE. The main task calls this function. `of_a_line` is the
/// cost in nanoseconds of an access to a cache line. `appended` does not include the access to the
/// cache line, because the model counts `of_a_line` separately. The measurement takes a few seconds
/// and 100 MB of memory.
task<steps_of_a_key> measure_keys(double of_a_line);

}  // namespace atl::reproduction::prices
