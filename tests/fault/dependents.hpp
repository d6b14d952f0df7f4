#pragma once
// In each step, all PEs wait for each other. The PEs wait for events, a reservation, phases of a
// barrier, copies, region instances, symmetric memory and messages. PEs also wait for operations
// that fail.

#include "atoll/atoll.hpp"
#include "one_sided_steps.hpp"
#include "region_steps.hpp"
#include "two_sided_steps.hpp"

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace dependents {

using namespace atl;

using phases = reducing_barrier<std::uint64_t, std::plus<>>;

struct shared_state {
  reservation door;
  phases first;
  global_array<std::uint64_t> count;   ///< one word, which the holder of the reservation changes
  global_array<std::uint64_t> filled;  ///< one word for each PE
  global_array<std::uint64_t> copied;
  shared_regions regions;
  shared_memory memory;
};

inline int next_pe() { return (my_pe() + 1) % pes(); }
inline std::uint64_t me() { return static_cast<std::uint64_t>(my_pe()); }

inline task<> count_one(shared_state all) {
  const std::uint64_t seen = co_await read(all.count[0]);
  co_await write(all.count[0], seen + 1);
}

/// Makes an operation that fails, and returns another operation that depends on the failed one.
inline event cancelled_after(event begun) {
  const event bad = spawn_when(next_pe(), begun, [] { throw std::runtime_error("as planned"); });
  return spawn_when(next_pe(), bad, [] { fail(errc::internal, "it was to be cancelled"); });
}

/// Adds a member to the barrier for this phase only. Another PE arrives on behalf of the new
/// member.
inline phases with_guest(const phases& at) {
  const phases grown = at.alter_expected(1);
  async_call(next_pe(), [grown] {
    grown.arrive(0);
    grown.next().alter_expected(-1);
  });
  return grown;
}

inline task<> make_step(shared_state all, std::uint64_t number) {
  phases at = all.first.advance(number);
  if (number % 4 == me() % 4) at = with_guest(at);
  const user_event go = make_user_event();
  const event held = all.door.acquire(go);
  const event counted = spawn_when(next_pe(), held, [all] { return count_one(all); });
  const event left = all.door.release(counted, held);
  const event filled = fill_when(left, array_part(all.filled, me(), 1), number + 1);
  const event copied =
      copy_when(filled, array_part(all.copied, me(), 1), array_part(all.filled, me(), 1));
  const event cancelled = cancelled_after(any_of_events({held, copied}));
  at.arrive(me() + 1, merge_events({copied, ignore_faults(cancelled)}));
  async_call(next_pe(), [go] { go.trigger(); });
  co_await use_regions(all.regions, next_pe(), number + 1);
  co_await use_memory(all.memory, next_pe(), number + 1);
  co_await use_messages(next_pe(), number);
  co_await at;
  if (!cancelled.is_poisoned()) fail(errc::internal, "it has not failed");
}

inline task<shared_state> make_shared_state() {
  const auto all = static_cast<std::uint64_t>(pes());
  shared_state made{make_reservation(),
                    make_reducing_barrier(all, std::uint64_t{0}, std::plus<>()),
                    co_await make_array<std::uint64_t>(1),
                    co_await make_array<std::uint64_t>(all),
                    co_await make_array<std::uint64_t>(all),
                    co_await make_shared_regions(),
                    co_await make_shared_memory()};
  co_return made;
}

inline task<bool> is_right(shared_state all, std::uint64_t steps) {
  const auto size = static_cast<std::uint64_t>(pes());
  bool right = co_await read(all.count[0]) == steps * size;
  right &= co_await all.first.advance(steps - 1).result() == size * (size + 1) / 2;
  for (std::uint64_t pe = 0; pe < size; ++pe) right &= co_await read(all.copied[pe]) == steps;
  right &= co_await regions_are_right(all.regions, steps);
  right &= co_await memory_is_right(all.memory, steps);
  co_return right;
}

/// What happens to the last PE in the middle of the steps. The accident is sent as a number,
/// because a function has different addresses on different ranks.
enum class accident { none, exit, exception, abort, kill };

inline void happen(accident what) {
  if (what == accident::exit) std::exit(7);
  if (what == accident::exception) throw std::runtime_error("the last PE is unhappy");
  if (what == accident::abort) std::abort();
  if (what == accident::kill) raise(SIGKILL);
}

inline task<bool> run(std::uint64_t steps, std::uint64_t when = 0, accident what = accident::none) {
  const shared_state all = co_await make_shared_state();
  co_await on_all_pes([=]() -> task<> {
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (i == when && my_pe() == pes() - 1) happen(what);
      co_await make_step(all, i);
    }
  });
  co_return co_await is_right(all, steps);
}

}  // namespace dependents
