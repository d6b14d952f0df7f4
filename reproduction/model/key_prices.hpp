#pragma once
// What the parts of sorting keys that need no other PE cost this machine: the code of the kernel
// itself, on the keys of one PE. For the model of a cluster.

#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of a PE.
struct steps_of_a_key {
  double counted = 0;
  double placed = 0;
  double appended = 0;  ///< beside a line touched
};

/// `of_a_line`: nanoseconds of a line touched, which a message that appends a key pays besides. One
/// PE; called by its main task. Takes seconds, and 100 MB.
task<steps_of_a_key> measure_keys(double of_a_line);

}  // namespace atl::reproduction::prices
