#pragma once
// What the steps of the runtime cost this machine, each measured by programs that do little else:
// for the model of a cluster. The structures behind its checks (stack, queue) are not among them.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

namespace atl::reproduction::prices {

/// Nanoseconds of a PE. What is not a step by itself is the time of a loop less the steps in it.
struct steps_of_a_task {
  double context_switch = 0;
  double round = 0;  ///< of the scheduler
  double task = 0;   ///< made, begun and ended
  double request_combined = 0;
  double request_served = 0;
  double event_made = 0;
  double waiter_woken = 0;
  double reservation_granted = 0;
};

/// One PE; called by its main task.
task<steps_of_a_task> measure_tasks();

struct steps_of_a_message {
  double created = 0;
  double byte_handed_over = 0;
  double executed = 0;
};

/// Two PEs, with the settings of message_stages.hpp; called by the main task.
task<steps_of_a_message> measure_message();

struct steps_of_a_wire {
  double look = 0;     ///< for messages of the node, when there are none
  double clock = 0;    ///< a look at it
  double buffer = 0;   ///< a small buffer handed over, or taken
  double journey = 0;  ///< of a small one, from PE to PE
};

/// Of shared memory: starts two PEs of its own.
steps_of_a_wire measure_wire(const settings& options);

}  // namespace atl::reproduction::prices
