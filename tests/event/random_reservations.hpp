#pragma once
// Random tasks on simulated PEs acquire and release reservations in every possible way. Each task
// checks the state of the reservation while it holds the reservation. The program also checks the
// final state.

#include "atoll/event.hpp"
#include "support/ended_well.hpp"
#include "support/run_on.hpp"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace atl::test {

/// A reservation, with the number and the mode of the tasks that hold it now. All PEs share a
/// process and access this object directly.
struct reserved_section {
  reservation door;
  int inside = 0;
  reservation_mode mode;
};

struct reservations_program {
  std::vector<reserved_section> sections;
  std::uint64_t entered = 0;
  /// Of 16 attempts to acquire the reservation, the number that use `try_acquire`.
  std::uint64_t tried = 0;
  bool wrong = false;

  void expect(bool holds, site where = site::current()) {
    if (holds) return;
    wrong = true;
    fmt::print(stderr, "not as it should be: {}\n", to_string(where));
  }
  void enter(reserved_section& in, reservation_mode mode) {
    expect(in.inside == 0 || (!mode.is_exclusive() && mode == in.mode));
    ++in.inside;
    in.mode = mode;
    ++entered;
  }
};

inline reservation_mode random_mode(random_stream& random) {
  const std::uint64_t number = random.below(5);
  return number < 2 ? exclusive : reservation_mode::shared(static_cast<std::uint32_t>(number / 4));
}

/// Calls `before`, and returns an event that some PE ends some time later.
template <class Before>
event ends_later(random_stream& random, bool fails, Before before) {
  const user_event made = make_user_event();
  const auto pe = static_cast<int>(random.below(static_cast<std::uint64_t>(pes())));
  const auto wait = static_cast<transport::nanoseconds>(random.below(20'000));
  async_call(pe, [made, fails, wait, before]() -> task<> {
    co_await sleep_for(wait);
    before();
    if (fails)
      made.poison(error(errc::input, "as planned"));
    else
      made.trigger();
  });
  return made;
}

/// Ends this task's use of the reservation and releases the reservation, at once or when an event
/// ends or fails.
inline task<> leave(reservations_program& all, reserved_section& in, random_stream& random) {
  if (random.below(3) == 0) co_await sleep_for(random.below(10'000));
  const std::uint64_t how = random.below(4);
  if (how < 2) {
    --in.inside;
    all.expect(in.door.release().has_triggered());
  } else {
    const bool fails = how == 3;
    const event left =
        in.door.release(ends_later(random, fails, [inside = &in.inside] { --*inside; }));
    if (random.below(2) == 0) all.expect((co_await left.settled()).has_value() == fails);
  }
}

/// Tries to acquire the reservation up to four times.
inline task<bool> keep_trying(const reservation& door, reservation_mode mode,
                              random_stream& random) {
  for (std::uint64_t left = 1 + random.below(4); left > 0; --left) {
    if (co_await door.try_acquire(mode)) co_return true;
    co_await sleep_for(random.below(3000));
  }
  co_return false;
}

/// Requests the reservation, and withdraws the request if that is still possible. Returns true if
/// the task holds the reservation in the end.
inline task<bool> ask_and_withdraw(reservations_program& all, const reservation& door,
                                   reservation_mode mode, random_stream& random) {
  const bool deferred = random.below(2) == 0;
  const event held =
      door.acquire(deferred ? ends_later(random, false, [] {}) : event(event::none), mode);
  if (random.below(2) == 0) co_await sleep_for(random.below(20'000));
  const bool withdrawn = co_await withdraw(held);
  all.expect((co_await held.settled()).has_value() == withdrawn);
  co_return !withdrawn;
}

/// Acquires the reservation in one of several ways. Returns false if the acquisition fails.
inline task<bool> come(reservations_program& all, reserved_section& to, reservation_mode mode,
                       random_stream& random) {
  const auto nothing = [] {};
  if (random.below(16) < all.tried) co_return co_await keep_trying(to.door, mode, random);
  switch (random.below(8)) {
  case 0:
    co_return co_await ask_and_withdraw(all, to.door, mode, random);
  case 1: {
    const event bad = ends_later(random, true, nothing);
    all.expect((co_await to.door.acquire(bad, mode).settled()).has_value());
    co_return false;
  }
  case 2:
  case 3:
    co_await to.door.acquire(ends_later(random, false, nothing), mode);
    co_return true;
  default:
    co_await to.door.acquire(event::none, mode);
    co_return true;
  }
}

inline task<> visit_at_random(reservations_program& all, std::uint64_t stream) {
  random_stream random(stream);
  for (std::uint64_t visits = random.below(12); visits > 0; --visits) {
    reserved_section& next = all.sections[random.below(all.sections.size())];
    const reservation_mode mode = random_mode(random);
    if (!co_await come(all, next, mode, random)) continue;
    all.enter(next, mode);
    co_await leave(all, next, random);
  }
}

/// Checks that no task holds the reservation, and that every PE can acquire it. The function then
/// destroys the reservation.
inline task<> check_all_free(reservations_program& all) {
  for (reserved_section& section : all.sections) {
    all.expect(section.inside == 0);
    const auto hold = [door = section.door]() -> task<> {
      co_await door.acquire();
      door.release();
    };
    const auto try_to_hold =
        // The loop tries again, because messages about withdrawn requests can still be in flight.
        [door = section.door]() -> task<> {
      while (!co_await door.try_acquire()) co_await sleep_for(1000);
      door.release();
    };
    for (int pe = 0; pe < pes(); ++pe) {
      co_await call(pe, try_to_hold);
      co_await call(pe, hold);
    }
    section.door.destroy();
  }
}

inline task<> run_reservations(reservations_program& all, std::uint64_t seed) {
  random_stream random(hash(seed));
  constexpr std::array<std::uint64_t, 4> k_tried = {1, 4, 8, 15};
  all.tried = k_tried[random.below(k_tried.size())];
  all.sections.resize(1 + random.below(4));
  for (reserved_section& section : all.sections) {
    const auto owner = static_cast<int>(random.below(static_cast<std::uint64_t>(pes())));
    section.door = co_await call(owner, [] { return make_reservation(); });
  }
  co_await on_all_pes([of = &all, seed] {
    for (std::uint64_t i = 0; i < 6; ++i)
      spawn([of, stream = hash(seed * 64 + i) + static_cast<std::uint64_t>(my_pe())] {
        return visit_at_random(*of, stream);
      });
  });
  co_await check_all_free(all);
  reservation_statistics sum;
  for (int pe = 0; pe < pes(); ++pe)
    sum.add(co_await call(pe, [] { return local_reservation_statistics(); }));
  all.expect(sum.most_overtaken <= job_settings().unfairness);
  const auto checked = 2 * all.sections.size() * static_cast<std::uint64_t>(pes());
  all.expect(sum.grants == all.entered + checked);
}

/// Runs the program of the seed `seed` under the schedule of the same seed.
inline bool random_reservations_are_right(std::uint64_t seed) {
  constexpr std::array<std::uint64_t, 5> k_unfairness = {0, 1, 3, 16, UINT64_MAX};
  settings options = simulated_job_of(static_cast<int>(1 + seed % 8), seed);
  options.unfairness = k_unfairness[seed / 8 % k_unfairness.size()];
  reservations_program all;
  const int status = run_job(options, [&all, seed] { return run_reservations(all, seed); });
  return ended_well(status) && !all.wrong;
}

}  // namespace atl::test
