#pragma once
// Measures the costs of the runtime's steps on this machine, for the performance model of a
// cluster. Each step is measured by a program that does little except this step. The global stack
// and queue are not measured, because they are used to check the model.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds per step on one PE. Some values are the time of a loop minus the known costs of
/// other steps in the loop.
struct steps_of_a_task {
  double context_switch = 0;
  double round = 0;  ///< a round of the scheduler
  double task = 0;   ///< time to make, begin and end a task
  double request_combined = 0;
  double request_served = 0;
  double event_made = 0;
  double waiter_woken = 0;
  double reservation_granted = 0;
};

/// Measures the costs in a job of one PE. The main task calls this function.
task<steps_of_a_task> measure_tasks();

struct steps_of_a_message {
  double created = 0;
  double byte_handed_over = 0;
  double executed = 0;
};

/// Measures the costs of messages in a job of two PEs, with the settings of
/// bench/message_stages.hpp. The main task calls this function.
task<steps_of_a_message> measure_message();

struct steps_of_a_wire {
  double look = 0;     ///< one poll for messages of PEs of the same node, if there are none
  double clock = 0;    ///< reading the clock
  double buffer = 0;   ///< sending or receiving a small buffer
  double journey = 0;  ///< latency of a small buffer from PE to PE
};

/// Measures the transport over shared memory. The function starts a job of two PEs for the
/// measurement.
steps_of_a_wire measure_wire(const settings& options);

}  // namespace atl::reproduction::prices
