// Tests the detection of termination in whole jobs. all_quiet must not return early, and must
// always return.

#include "support/own_state.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

class quiet : public test::on_pes {};

/// A record of what has happened on a PE.
struct happened {
  std::uint64_t hops = 0;
  bool woken = false;
};

happened& happened_here() {
  static thread_local test::own_state<happened> each;
  return each();
}

std::uint64_t children_of(std::uint64_t seed, int ttl) { return ttl == 0 ? 0 : hash(seed) % 4; }
std::uint64_t child_seed(std::uint64_t seed, std::uint64_t i) { return hash(seed ^ (i + 1)); }

std::uint64_t size_of_tree(std::uint64_t seed, int ttl) {
  std::uint64_t size = 1;
  for (std::uint64_t i = 0; i < children_of(seed, ttl); ++i) {
    size += size_of_tree(child_seed(seed, i), ttl - 1);
  }
  return size;
}

/// A message that sends further messages to random PEs, either directly or from a slow task.
struct hop {
  std::uint64_t seed;
  int ttl;

  void operator()() const {
    ++happened_here().hops;
    for (std::uint64_t i = 0; i < children_of(seed, ttl); ++i) {
      const hop next{child_seed(seed, i), ttl - 1};
      switch (hash(next.seed + 1) % 8) {
      case 0:
        spawn([next] { return next.go_on_later(); });
        break;
      case 1:
        spawn([next] { return next.go_on_after_an_answer(); });
        break;
      default:
        next.go_on();
      }
    }
  }
  void go_on() const {
    async_call(static_cast<int>(hash(seed + 2) % static_cast<std::uint64_t>(pes())), *this);
  }
  task<> go_on_later() const {
    const hop self = *this;
    co_await sleep_for(static_cast<std::int64_t>(hash(self.seed + 3) % 300'000));
    co_await yield();
    self.go_on();
  }
  task<> go_on_after_an_answer() const {
    const hop self = *this;
    const int other = static_cast<int>(hash(self.seed + 4) % static_cast<std::uint64_t>(pes()));
    const int answer = co_await call(other, [] { return my_pe(); });
    if (answer == other) self.go_on();
  }
};

task<> storm(std::uint64_t round) {
  happened_here() = {};
  co_await all_barrier();
  std::uint64_t expected = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    const std::uint64_t seed = hash(round * 100 + static_cast<std::uint64_t>(pe));
    expected += size_of_tree(seed, 8);
    if (pe == my_pe()) hop{seed, 8}.go_on();
  }
  co_await all_quiet();
  const std::uint64_t then = happened_here().hops;
  const auto all = co_await all_reduce(then, [](auto a, auto b) { return a + b; });
  EXPECT_EQ(all, expected);
  EXPECT_EQ(happened_here().hops, then);
  co_await all_barrier();
}

task<> storms(std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round) co_await storm(round);
}

TEST_P(quiet, comes_after_the_last_message_of_a_storm) {
  run_spmd([] { return storms(test::sanitized ? 4 : 10); });
}

TEST_P(quiet, comes_after_the_last_message_without_aggregation_and_room) {
  options.aggregation = false;
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run_spmd([] { return storms(test::sanitized ? 2 : 5); });
}

TEST_P(quiet, comes_when_nothing_was_sent) {
  run_spmd([]() -> task<> {
    for (int i = 0; i < 20; ++i) co_await all_quiet();
  });
}

/// A message that visits all PEs in turn.
struct round_trip {
  int hops_left;

  void operator()() const {
    if (hops_left > 0) async_call((my_pe() + 1) % pes(), round_trip{hops_left - 1});
  }
};

// A task waits for a chain of messages that it has caused. When the last message of the chain has
// been executed, an acknowledgement to the task is in flight. `all_quiet` must wait for the
// acknowledgement.
TEST_P(quiet, comes_after_tasks_that_wait_for_the_end_of_what_they_started) {
  run_spmd([]() -> task<> {
    for (int round = 0; round < 20; ++round) {
      happened_here() = {};
      co_await all_barrier();
      spawn([]() -> task<> {
        const auto start = [] { round_trip{40}(); };
        co_await finish(start);
        happened_here().woken = true;
      });
      co_await all_quiet();
      EXPECT_TRUE(happened_here().woken);
      co_await all_barrier();
    }
  });
}

TEST_P(quiet, comes_after_sleeping_tasks) {
  run_spmd([]() -> task<> {
    happened_here() = {};
    spawn([]() -> task<> {
      for (int i = 0; i < 5; ++i) co_await sleep_for(1'000'000);
      happened_here().woken = true;
    });
    co_await all_quiet();
    EXPECT_TRUE(happened_here().woken);
  });
}

// A failed message must not make all_quiet wait forever.
TEST_P(quiet, comes_after_messages_that_have_failed) {
  run_spmd([]() -> task<> {
    const auto send = [] {
      async_call((my_pe() + 1) % pes(), [] { throw error(errc::input, "it has failed"); });
    };
    for (int i = 0; i < 3; ++i) {
      std::string said;
      try {
        co_await finish(send);
      } catch (const error& failed) {
        said = failed.what();
      }
      EXPECT_NE(said.find("it has failed"), said.npos);
    }
    co_await all_quiet();
  });
}

ATOLL_RUN_ON_ALL(quiet);

}  // namespace
