#pragma once
// Measures the costs of the local parts of sorting keys on this machine, for the model of a
// cluster. The code is that of the kernel, on the keys of one PE.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of one PE per key.
struct steps_of_a_key {
  double counted = 0;
  double placed = 0;
  double appended = 0;  ///< time to append a key, without the access to its cache line
};

/// Measures the costs in a job of one PE. The main task calls this. `of_a_line` is the cost in
/// nanoseconds of an access to a cache line. The model charges this access separately when a
/// message appends a key. The call takes seconds, and 100 MB.
task<steps_of_a_key> measure_keys(double of_a_line);

}  // namespace atl::reproduction::prices
