#pragma once
// Faults that a build for tests contains on purpose. The tests in tests/mutants show that simulated
// schedules find each fault except `no_memory_to_wait`, which must not change any result. A build
// without the macro ATOLL_MUTANTS contains no fault, and `has` always returns false.

#include <cstdint>

namespace atl::mutants {

enum class fault : std::uint8_t {
  none,
  lost_wake_up,       ///< a PE sleeps although its last poll for messages made a task ready
  lost_room,          ///< waiting messages are sent only after another message has arrived
  early_termination,  ///< the job ends after one check for termination, although two are needed
  missed_idle_flush,  ///< a PE sleeps before it sends the messages that its handlers have created
  broken_order,       ///< a buffer is sent before older buffers that wait for the same receiver
  double_steal,       ///< one stealable task is sent to two PEs
  forgotten_thief,    ///< a PE whose request was refused gets no task when tasks become available
  discouraged_thief,  ///< a PE whose request was refused asks no other PE for tasks
  short_put,          ///< the last 8 bytes of some bulk transfers are not sent
  stale_proxy,        ///< a pop takes a value from a batch of operations that is already being sent
  range_twice,        ///< the same cells of a container are reserved for two pops
  out_of_turn,        ///< transfers use cells in order of arrival, not in order of reservation
  /// A PE acts as if it had no memory for transfers that arrive before their turn. Tests check that
  /// results stay correct although the PE acts as if it lacked memory.
  no_memory_to_wait,
  early_duplicate,    ///< an insert completes before an earlier insert of the same key
  lost_subscription,  ///< the owner of an event does not learn that another PE waits for the event
  early_merge,        ///< a merged event triggers although not all of its inputs have triggered
  used_generation,    ///< a new event gets the name of an ended event
  early_phase,        ///< a phase of a barrier completes although one arrival is missing
  /// A barrier counts an arrival before increasing the number of expected arrivals.
  early_arrival,
  double_grant,   ///< a reservation is granted although another task holds it
  early_release,  ///< a release takes effect before the reservation is granted
  lost_quiet,     ///< `quiet` returns although one-sided operations are incomplete
  lost_fence,     ///< a fence of one-sided operations orders nothing
  split_atomic,   ///< an atomic operation reads a word, and writes the word some time later
};

#ifdef ATOLL_MUTANTS
inline fault present = fault::none;
inline bool has(fault asked) { return present == asked; }
#else
constexpr bool has(fault) { return false; }
#endif

}  // namespace atl::mutants
