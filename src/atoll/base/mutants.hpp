#pragma once
// Faults that a build for tests contains on purpose. The tests in tests/mutants show that simulated
// schedules find each fault. Builds without the macro ATOLL_MUTANTS contain no fault, and `has` is
// always false there.

#include <cstdint>

namespace atl::mutants {

enum class fault : std::uint8_t {
  none,
  lost_wake_up,       ///< a PE sleeps although its last poll for messages made a task ready
  lost_room,          ///< buffers that receivers have freed stay unused until the next message
                      ///< arrives
  early_termination,  ///< one wave of equal counts ends the job, although termination needs two
                      ///< equal waves
  missed_idle_flush,  ///< a PE sleeps before it sends the messages that handlers of its last poll
                      ///< have created
  broken_order,       ///< a buffer is sent before earlier buffers of the same pair of PEs that wait
                      ///< for space
  double_steal,       ///< one task is sent to two of the PEs that wait for tasks to steal
  forgotten_thief,    ///< a PE that asked for a task in vain gets no task later either
  discouraged_thief,  ///< a PE that asked for a task in vain asks no other PE
  short_put,          ///< the last message of a bulk transfer is sent without data if its data is 8
                      ///< bytes
  stale_proxy,        ///< a pop takes a value from a batch whose commit has already begun
  range_twice,        ///< cells of a container that one pop has reserved are reserved for the next
                      ///< pop too
  out_of_turn,  ///< cells of a container are accessed in the order of arrival, not of reservation
  no_memory_to_wait,  ///< an owner has no memory to keep a transfer that arrives early; this must
                      ///< do no harm
  early_duplicate,    ///< an insert completes although an earlier insert of the same key is still
                      ///< in flight
  lost_subscription,  ///< the owner of an event does not learn that another PE waits for the event
  early_merge,        ///< a merged event triggers although not all of its inputs have triggered
  used_generation,    ///< a new event gets the name of an ended event
  early_phase,        ///< a phase of a barrier completes although one arrival is missing
  early_arrival,      ///< an arrival is counted before the increase of expected arrivals that it
                      ///< belongs to
  double_grant,       ///< a reservation is granted although another task holds it
  early_release,      ///< a release takes effect before the reservation is granted
  lost_quiet,         ///< `quiet` returns although one-sided operations are incomplete
  lost_fence,         ///< a fence of one-sided operations orders nothing
  split_atomic,       ///< an atomic operation writes its word some time after reading the word
};

#ifdef ATOLL_MUTANTS
inline fault present = fault::none;
inline bool has(fault asked) { return present == asked; }
#else
constexpr bool has(fault) { return false; }
#endif

}  // namespace atl::mutants
