#pragma once
// Faults that a test can build into the runtime, to show that simulated schedules find them
// (tests/mutants). Without ATOLL_MUTANTS there are none, and `has` is always false.

#include <cstdint>

namespace atl::mutants {

enum class fault : std::uint8_t {
  none,
  lost_wake_up,       ///< a PE goes to sleep although its last look made a task ready
  lost_room,          ///< returned room is not used while no message arrives
  early_termination,  ///< one balanced wave counts as termination
  missed_idle_flush,  ///< a PE goes to sleep on what the handlers of its last look sent
  broken_order,       ///< a buffer overtakes those of its pair that wait for room
  double_steal,       ///< a task that several thieves wait for is sent to two of them
  forgotten_thief,    ///< a thief that gets no task at once gets none later
  discouraged_thief,  ///< a thief that got no task asks no other PE any more
  short_put,          ///< a last piece of 8 bytes of a bulk transfer is not sent
  stale_proxy,        ///< a pop is answered from a batch in the middle of its commit
  range_twice,        ///< cells that one PE has reserved are reserved for the next one again
  out_of_turn,  ///< cells are written and read as transfers arrive, not in the order of tickets
  no_memory_to_wait,  ///< an owner cannot keep an early transfer: must do no harm
  early_duplicate,    ///< an insert is answered although the equal one before it has not landed
  lost_subscription,  ///< the owner of an event does not learn that a PE waits for it
  early_merge,        ///< a merged event triggers before all of its inputs have
  used_generation,    ///< a slot is reused under the name of its former event
  early_phase,        ///< a phase completes when one arrival is still missing
  early_arrival,      ///< an arrival counts before the increase it belongs to has come
  double_grant,       ///< a reservation that is held is granted once more
  early_release,      ///< a release takes effect before its hold is granted
  lost_quiet,         ///< `quiet` returns although operations are not complete
  lost_fence,         ///< a fence orders nothing
  split_atomic,       ///< an atomic operation changes its word some time after reading it
};

#ifdef ATOLL_MUTANTS
inline fault present = fault::none;
inline bool has(fault asked) { return present == asked; }
#else
constexpr bool has(fault) { return false; }
#endif

}  // namespace atl::mutants
