// Runs the litmus programs of docs/explanation/memory-model.md in a simulation under many
// schedules. The forbidden outcome must never occur. Readers must see both writes in at least one
// schedule.

#include "support/run_on.hpp"

using namespace atl;

namespace {

namespace os = atl::one_sided;
using cells = global_array<std::uint64_t>;

// The thread sanitizer cannot find a race between simulated PEs, which share one thread.
constexpr std::uint64_t k_schedules = test::only_threads ? 0 : test::sanitized ? 20 : 120;

constexpr std::uint64_t k_nothing = 0;
constexpr std::uint64_t k_forbidden = 1;
/// The outcome of a reader that saw both writes. The outcomes of all PEs are added up, and
/// `k_informed` is larger than any sum of forbidden outcomes.
constexpr std::uint64_t k_informed = 1 << 8;

/// The number of schedules with the forbidden outcome, and the number of schedules in which a
/// reader saw both writes.
struct outcomes {
  std::uint64_t forbidden = 0;
  std::uint64_t informed = 0;

  void count(std::uint64_t seen) {
    forbidden += seen % k_informed != 0 ? 1 : 0;
    informed += seen >= k_informed ? 1 : 0;
  }
};

constexpr std::uint64_t outcome_of(bool second, bool first) {
  if (!second) return k_nothing;
  return first ? k_informed : k_forbidden;
}

/// Runs the coroutine `body(memory)` on every PE under many schedules. `make` makes the memory,
/// which initially holds 0. `body` returns an outcome: `k_nothing`, `k_forbidden` or `k_informed`.
template <class Make, class Body>
outcomes explore_in(int pes, Make make, Body body) {
  outcomes all;
  for (const std::uint64_t seed : test::seeds(k_schedules)) {
    const auto main = [&all, make, body]() -> task<> {
      const auto memory = co_await make();
      const auto seen = co_await make_array<std::uint64_t>(1);
      const auto on_each = [=]() -> task<> {
        const std::uint64_t outcome = co_await body(memory);
        (void)co_await fetch_add(seen[0], outcome);
      };
      co_await on_all_pes(on_each);
      all.count(co_await read(seen[0]));
      co_await seen.destroy();
      co_await memory.destroy();
    };
    test::run_on(test::job_of({pes, pe_kind::thread, seed}), main);
  }
  return all;
}

/// The memory has one cell on each PE.
template <class Body>
outcomes explore(int pes, Body body) {
  const auto make = [] {
    return make_array<std::uint64_t>(static_cast<std::uint64_t>(atl::pes()));
  };
  return explore_in(pes, make, body);
}

void expect_promise(const outcomes& found) {
  if (k_schedules == 0) GTEST_SKIP() << "nothing is simulated";
  EXPECT_EQ(found.forbidden, 0U);
  EXPECT_NE(found.informed, 0U);
}

/// Waits until the cell is not 0, and returns its value.
task<std::uint64_t> read_when_set(cells memory, std::uint64_t cell) {
  for (;;) {
    const std::uint64_t value = co_await read(memory[cell]);
    if (value != 0) co_return value;
    co_await yield();
  }
}

/// Waits for the flag on PE 1, and then reads the data on PE 2.
task<std::uint64_t> read_flag_and_data(cells memory) {
  (void)co_await read_when_set(memory, 1);
  const std::uint64_t data = co_await read(memory[2]);
  co_return outcome_of(true, data == 1);
}

// PE 0 writes data on PE 2, and then writes a flag on PE 1. The forbidden outcome: PE 1 sees the
// flag, and reads old data.
TEST(memory_model, message_passing) {
  const auto body = [](cells memory) -> task<std::uint64_t> {
    if (my_pe() == 1) co_return co_await read_flag_and_data(memory);
    if (my_pe() == 2) co_return k_nothing;
    co_await write(memory[2], 1);
    co_await write(memory[1], 1);
    co_return k_nothing;
  };
  expect_promise(explore(3, body));
}

// PE 0 and PE 1 each write a word, and then read the word of the other PE. The forbidden outcome:
// both PEs read 0.
TEST(memory_model, store_buffering) {
  const auto body = [](cells memory) -> task<std::uint64_t> {
    if (my_pe() > 1) co_return k_nothing;
    const auto mine = static_cast<std::uint64_t>(my_pe());
    co_await write(memory[2 + mine], 1);
    const std::uint64_t other = co_await read(memory[3 - mine]);
    co_await write(memory[mine], 1 + other);  // The value tells the other PE what this PE has read.
    const bool other_saw_this = co_await read_when_set(memory, 1 - mine) == 2;
    co_return outcome_of(true, other == 1 || other_saw_this);
  };
  expect_promise(explore(4, body));
}

// PE 0 and PE 1 each write a word. It is forbidden that PE 2 sees only one of the two writes while
// PE 3 sees only the other.
TEST(memory_model, independent_reads_of_independent_writes) {
  const auto body = [](cells memory) -> task<std::uint64_t> {
    const auto mine = static_cast<std::uint64_t>(my_pe());
    if (mine < 2) {
      co_await write(memory[1 - mine], 1);
      co_return k_nothing;
    }
    (void)co_await read_when_set(memory, mine - 2);
    const bool sees_one = co_await read(memory[3 - mine]) == 0;
    co_await write(memory[mine], sees_one ? 2 : 1);
    const bool other_sees_one = co_await read_when_set(memory, 5 - mine) == 2;
    co_return outcome_of(true, !sees_one || !other_sees_one);
  };
  expect_promise(explore(4, body));
}

/// PE 0 updates data on PE 2 without waiting, and then writes a flag on PE 1. If `finishes` is
/// true, a `finish` around the update waits for it.
outcomes explore_update(bool finishes) {
  return explore(3, [finishes](cells memory) -> task<std::uint64_t> {
    if (my_pe() == 1) co_return co_await read_flag_and_data(memory);
    if (my_pe() == 2) co_return k_nothing;
    const auto update = [memory] {
      async_update(memory[2], [](std::uint64_t& data) { data = 1; });
    };
    if (finishes) {
      co_await finish(update);
    } else {
      update();
    }
    co_await write(memory[1], 1);
    co_return k_nothing;
  });
}

TEST(memory_model, asynchronous_updates_are_visible_behind_finish) {
  expect_promise(explore_update(true));
  const outcomes without = explore_update(false);
  if (!test::sanitized) {
    // A sanitized test runs so few schedules that possibly none of them has the forbidden outcome.
    EXPECT_NE(without.forbidden, 0U);
  }
}

// PE 0 puts data and then a flag into the memory of PE 1, with a fence between them. The forbidden
// outcome: PE 1 sees the flag, and finds old data.
TEST(memory_model, puts_keep_the_order_of_a_fence) {
  const auto body = [](symmetric_array<std::uint64_t> memory) -> task<std::uint64_t> {
    if (my_pe() == 0) {
      os::put(memory.on(1, 0), 1);
      os::fence();
      os::put(memory.on(1, 1), 1);
    }
    if (my_pe() != 1) co_return k_nothing;
    const std::uint64_t* const words = memory.local().data();
    co_await os::wait_until(words + 1, os::comparison::equal, 1U);
    co_return outcome_of(true, os::test(words, os::comparison::equal, 1U));
  };
  const auto make = [] { return make_symmetric_array<std::uint64_t>(2); };
  expect_promise(explore_in(3, make, body));
}

// PE 0 writes data on PE 2, and then triggers an event. The forbidden outcome: PE 1 has awaited the
// event, and reads old data.
TEST(memory_model, an_event_carries_what_was_written_before) {
  const auto body = [](cells memory) -> task<std::uint64_t> {
    if (my_pe() == 2) co_return k_nothing;
    if (my_pe() == 0) {
      const user_event written = make_user_event();
      co_await write(memory[0], written.name().word());
      co_await write(memory[2], 1);
      written.trigger();
      co_return k_nothing;
    }
    const std::uint64_t word = co_await read_when_set(memory, 0);
    co_await event(events::name::from_word(word));
    co_return outcome_of(true, co_await read(memory[2]) == 1);
  };
  expect_promise(explore(3, body));
}

}  // namespace
