#pragma once
// Measures the costs of the local parts of sorting keys on this machine, for the model of a
// cluster. The code is that of the kernel, on the keys of one PE.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of a PE.
struct steps_of_a_key {
  double counted = 0;
  double placed = 0;
  double appended = 0;  ///< to append a key, without the cache line touched
};

/// Measures in a job of one PE. The main task calls this. `of_a_line` is the cost in nanoseconds of
/// a cache line touched, which the model charges separately when a message appends a key. Takes
/// seconds, and 100 MB.
task<steps_of_a_key> measure_keys(double of_a_line);

}  // namespace atl::reproduction::prices
