#pragma once
// Random programs that use a phase barrier on simulated PEs. A model computes which arrivals each
// phase waits for. A task arrives at the barrier at once, or when an event ends or fails. Tasks on
// any PE join the barrier during the program, and some tasks leave it.

#include "atoll/phase_barrier.hpp"
#include "support/ended_well.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace atl::test {

/// The state of the model. All PEs share a process and access this object directly.
struct barrier_book {
  static constexpr std::uint64_t k_phases = 8;
  static constexpr int k_most_members = 40;

  std::uint64_t seed = 0;
  std::array<std::int64_t, 2 * k_phases> missing{};  ///< number of missing arrivals of each phase
  std::array<std::int64_t, 2 * k_phases> sums{};
  std::array<bool, 2 * k_phases> fails{};
  int members = 0;  ///< number of members that have ever joined during the program
  bool wrong = false;

  void expect(bool holds, site where = site::current()) {
    if (holds) return;
    wrong = true;
    fmt::print(stderr, "not as it should be: {}\n", to_string(where));
  }
  void join(std::uint64_t from) {
    ++members;
    for (std::uint64_t phase = from; phase < missing.size(); ++phase) ++missing[phase];
  }
  void leave(std::uint64_t from) {
    for (std::uint64_t phase = from; phase < missing.size(); ++phase) --missing[phase];
  }
  void arrive(std::uint64_t phase, std::int64_t value) {
    --missing[phase];
    sums[phase] += value;
  }
  void arrive_failing(std::uint64_t phase) {
    --missing[phase];
    fails[phase] = true;
  }
  void expect_complete(std::uint64_t phase) {
    expect(std::all_of(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(phase) + 1,
                       [](std::int64_t arrivals) { return arrivals == 0; }));
  }
};

using summing_barrier = reducing_barrier<std::int64_t, std::plus<>>;

/// The random actions of a member at one phase.
struct member_plan {
  std::uint64_t seed;

  std::uint64_t of(std::uint64_t what, std::uint64_t bound) const {
    return hash(seed * 64 + what) % bound;
  }
  transport::nanoseconds delay(std::uint64_t what) const {
    return static_cast<transport::nanoseconds>(of(what, 20'000));
  }
  int pe(std::uint64_t what) const {
    return static_cast<int>(of(what, static_cast<std::uint64_t>(pes())));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(of(0, 1'000)); }
};

/// Waits for the phase, and checks that it completes when the model says so, with the right outcome
/// and the right value.
inline task<> await_phase(barrier_book* book, summing_barrier at) {
  const std::optional<event_fault> fault = co_await at.completion().settled();
  book->expect_complete(at.phase());
  book->expect(fault.has_value() == book->fails[at.phase()]);
  if (!fault) book->expect(co_await at.result() == book->sums[at.phase()]);
}

/// Arrives at the barrier when another PE triggers an event. If the other PE poisons the event, the
/// arrival fails.
inline task<> arrive_after_another(barrier_book* book, summing_barrier at, member_plan plan) {
  const auto make = [] { return make_user_event(); };
  const user_event go = co_await call(plan.pe(1), make);
  at.arrive(plan.value(), go);
  const auto end = [book, go, plan, phase = at.phase()]() -> task<> {
    co_await sleep_for(plan.delay(2));
    if (plan.of(3, 4) == 0) {
      book->arrive_failing(phase);
      go.poison(error(errc::input, "planned"));
    } else {
      book->arrive(phase, plan.value());
      go.trigger();
    }
  };
  async_call(plan.pe(4), end);
}

inline task<> be_member(barrier_book* book, summing_barrier at, std::uint64_t seed);

/// Adds members to the barrier, which take part from this phase on or from a later phase.
inline summing_barrier invite(barrier_book* book, summing_barrier at, member_plan plan) {
  const std::uint64_t count = 1 + plan.of(5, 2);
  const std::uint64_t ahead = plan.of(6, 2) * plan.of(7, 3);
  const summing_barrier grown = at.advance(ahead).alter_expected(static_cast<std::int64_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    book->join(grown.phase());
    async_call(plan.pe(8 + i),
               [book, grown, seed = hash(plan.seed + i)] { return be_member(book, grown, seed); });
  }
  return ahead == 0 ? grown : at;
}

inline task<> be_member(barrier_book* book, summing_barrier at, std::uint64_t seed) {
  for (; at.phase() < barrier_book::k_phases; at = at.next()) {
    const member_plan plan{hash(seed ^ at.phase())};
    if (plan.of(10, 2) == 0) co_await sleep_for(plan.delay(11));
    if (plan.of(12, 3) == 0 && book->members < barrier_book::k_most_members)
      at = invite(book, at, plan);
    if (plan.of(13, 8) == 0) {
      book->leave(at.phase());
      at.alter_expected(-1);
      co_return;
    }
    if (plan.of(14, 4) == 0) {
      co_await arrive_after_another(book, at, plan);
    } else {
      book->arrive(at.phase(), plan.value());
      at.arrive(plan.value());
    }
    if (plan.of(15, 3) != 0) co_await await_phase(book, at);
  }
}

inline task<> run_barrier_program(barrier_book* book) {
  const member_plan plan{book->seed};
  const std::uint64_t members = 1 + plan.of(16, 6);
  const auto make = [members] {
    return make_reducing_barrier(members, std::int64_t{0}, std::plus<>());
  };
  const summing_barrier first = co_await call(plan.pe(17), make);
  for (std::uint64_t i = 0; i < members; ++i) book->join(0);
  const auto begin = [=] {
    for (std::uint64_t i = 0; i < members; ++i)
      async_call(plan.pe(18 + i),
                 [=] { return be_member(book, first, hash(plan.seed + 100 + i)); });
  };
  co_await finish(begin);
  for (std::uint64_t phase = 0; phase < barrier_book::k_phases; ++phase)
    co_await await_phase(book, first.advance(phase));
  first.destroy();
}

/// Runs the program of the seed `seed`. Returns true if all results agree with the model.
inline bool random_barrier_is_right(std::uint64_t seed) {
  const int pes = 1 + static_cast<int>(hash(seed) % 7);
  settings options = simulated_job_of(pes, seed);
  options.aggregation = hash(seed + 1) % 4 != 0;
  barrier_book book;
  book.seed = seed;
  const int status = run_job(options, [&]() -> task<> { return run_barrier_program(&book); });
  return ended_well(status) && !book.wrong;
}

}  // namespace atl::test
