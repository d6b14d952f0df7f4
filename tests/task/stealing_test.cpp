// Each stealable task must run exactly once, on any PE. A task that waits for the end of a scope
// must wait for all stealable tasks that the scope has started.

#include "support/run_on.hpp"

#include <algorithm>
#include <array>
#include <numeric>

using namespace atl;
using namespace atl::test;

namespace {

class stealing : public on_pes {};

/// Counts on PE 0 which tasks have run. The tasks contain the address of this object.
struct tally {
  std::vector<int> runs;
  std::vector<std::uint64_t> by_pe = std::vector<std::uint64_t>(std::size_t(pes()));

  explicit tally(std::size_t tasks) : runs(tasks) {}

  void count(std::size_t task) {
    const auto add = [this, task, pe = std::size_t(my_pe())] {
      ++runs[task];
      ++by_pe[pe];
    };
    async_call(0, add);
  }

  /// Returns true if another PE has run a task. PE 0 calls this function.
  bool shared() const {
    return std::any_of(by_pe.begin() + 1, by_pe.end(), [](auto n) { return n > 0; });
  }
};

/// Occupies the processor for a while, so that other tasks remain to be stolen.
void some_work() {
  const auto begin = this_pe().transport->now();
  while (this_pe().transport->now() - begin < 20'000) {
  }
}

/// A closure of `Bytes` bytes.
template <std::size_t Bytes>
struct padded_task {
  tally* counts;
  std::uint64_t number;
  std::array<std::byte, Bytes - 16> padding{};

  void operator()() const { counts->count(number); }
};

/// Counts the leaves of a binary tree. At every vertex, a task waits for the tasks of both
/// children.
struct counting_tree {
  std::uint64_t depth;
  global_address<std::uint64_t> leaves;

  task<> operator()() const {
    if (depth == 0) {
      async_fetch_add(leaves, 1);
      co_return;
    }
    const counting_tree child{depth - 1, leaves};
    const auto both = [child] {
      spawn_stealable(child);
      spawn_stealable(child);
    };
    co_await finish(both);
  }
};

}  // namespace

TEST_P(stealing, runs_every_task_once) {
  run([]() -> task<> {
    tally counts(1000);
    const auto start = [&counts] {
      for (std::size_t i = 0; i < counts.runs.size(); ++i) {
        spawn_stealable([&counts, i] {
          some_work();
          counts.count(i);
        });
      }
    };
    co_await finish(start);
    EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 1; }));
    EXPECT_EQ(std::accumulate(counts.by_pe.begin(), counts.by_pe.end(), 0ULL), 1000U);
  });
}

TEST_P(stealing, shares_work_that_was_born_on_one_pe) {
  run([]() -> task<> {
    tally counts(5000);
    const auto start = [&counts] {
      for (std::size_t i = 0; i < counts.runs.size(); ++i) {
        spawn_stealable([&counts, i]() -> task<> {
          some_work();
          do {
            co_await yield();
          } while (pes() > 1 && my_pe() == 0 && !counts.shared());
          counts.count(i);
        });
      }
    };
    co_await finish(start);
    if (pes() <= 2) {
      EXPECT_TRUE(std::ranges::all_of(counts.by_pe, [](auto n) { return n > 0; }));
    }
    std::uint64_t stolen = 0;
    for (const auto& pe : co_await read_counters()) stolen += pe.tasks_stolen;
    if (pes() == 1) {
      EXPECT_EQ(stolen, 0U);
    } else {
      EXPECT_GT(stolen, 0U);
    }
  });
}

/// A task that spawns itself again until another PE has stolen a task. Only the last run of the
/// task is counted.
struct restless_task {
  tally* counts;
  std::size_t number;

  task<> operator()() const {
    if (pes() > 1 && my_pe() == 0 && !counts->shared())
      spawn_stealable(*this);
    else
      counts->count(number);
    co_return;
  }
};

/// PEs that found no task to steal wait for new work. Each wave of work ends only after a PE that
/// was idle has stolen a task.
TEST_P(stealing, begins_again_after_every_idle_time) {
  run([]() -> task<> {
    for (int wave = 0; wave < 4; ++wave) {
      tally counts(100);
      co_await sleep_for(2'000'000);
      const auto start = [&counts] {
        for (std::size_t i = 0; i < counts.runs.size(); ++i)
          spawn_stealable(restless_task{&counts, i});
      };
      co_await finish(start);
      EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 1; }));
    }
  });
}

TEST_P(stealing, takes_closures_of_any_size) {
  run([]() -> task<> {
    tally counts(300);
    const auto start = [&counts] {
      for (std::uint64_t i = 0; i < 300; i += 3) {
        spawn_stealable(padded_task<24>{&counts, i});
        spawn_stealable(padded_task<40>{&counts, i + 1});
        spawn_stealable(padded_task<400>{&counts, i + 2});
      }
    };
    co_await finish(start);
    EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 1; }));
  });
}

/// The limit on unsent messages leaves room for only some of the tasks that another PE wants to
/// steal. Tasks for which there is no room must stay on their PE and must run there.
TEST_P(stealing, loses_no_task_beyond_the_overflow_limit) {
  options.overflow_limit = 64 << 10;
  run([]() -> task<> {
    tally counts(20'000);
    const auto start = [&counts] {
      for (std::uint64_t i = 0; i < counts.runs.size(); ++i) {
        spawn_stealable([counting = padded_task<400>{&counts, i}]() -> task<> {
          co_await room();
          counting();
        });
      }
    };
    co_await finish(start);
    EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 1; }));
  });
}

TEST(stealing_alone, begins_the_newest_first) {
  run_alone([]() -> task<> {
    std::vector<int> order;
    const auto start = [&order] {
      for (int i = 0; i < 4; ++i) spawn_stealable([&order, i] { order.push_back(i); });
    };
    co_await finish(start);
    EXPECT_EQ(order, (std::vector<int>{3, 2, 1, 0}));
  });
}

TEST_P(stealing, any_depth_works_with_one_worker) {
  options.workers = 1;
  run([]() -> task<> {
    const auto leaves = co_await make_array<std::uint64_t>(1);
    const counting_tree tree{10, leaves[0]};
    const auto start = [tree] { spawn_stealable(tree); };
    co_await finish(start);
    EXPECT_EQ(co_await read(leaves[0]), 1024U);
    co_await leaves.destroy();
  });
}

TEST_P(stealing, never_begins_more_than_the_workers) {
  options.workers = 3;
  run([]() -> task<> {
    const auto most = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(2 * pes()), 2);
    const auto start = [most] {
      for (int i = 0; i < 200; ++i) {
        spawn_stealable([most]() -> task<> {
          auto& [now, peak] = *reinterpret_cast<std::array<std::uint64_t, 2>*>(most.local().data());
          peak = std::max(peak, ++now);
          co_await sleep_for(10'000);
          --now;
        });
      }
    };
    co_await finish(start);
    for (std::uint64_t pe = 0; pe < static_cast<std::uint64_t>(pes()); ++pe) {
      EXPECT_LE(co_await read(most[2 * pe + 1]), 3U);
    }
    co_await most.destroy();
  });
}

TEST_P(stealing, carries_exceptions_to_the_scope) {
  run([]() -> task<> {
    const auto start = [] {
      for (int i = 0; i < 50; ++i) {
        spawn_stealable([i] {
          some_work();
          if (i == 7) throw std::runtime_error("task seven");
        });
      }
    };
    std::string text;
    try {
      co_await finish(start);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_NE(text.find("task seven"), std::string::npos) << text;
  });
}

TEST_P(stealing, does_not_starve_beside_tasks_that_are_always_ready) {
  run([]() -> task<> {
    bool done = false;
    const auto start = [&done]() -> task<> {
      spawn_stealable([&done] { async_call(0, [&done] { done = true; }); });
      while (!done) co_await yield();
    };
    co_await finish(start);
  });
}

TEST_P(stealing, sends_nothing_while_nobody_needs_work) {
  run([]() -> task<> {
    const auto nothing = [] {};
    co_await on_all_pes(nothing);
    for (const auto& pe : co_await read_counters()) {
      EXPECT_EQ(pe.steal_requests, 0U);
      EXPECT_EQ(pe.steals, 0U);
    }
  });
}

TEST_P(stealing, loops_run_every_iteration_once) {
  run([]() -> task<> {
    for (const std::uint64_t iterations : {0, 1, 5, 1000}) {
      tally counts(iterations);
      co_await stealable_for(0, iterations, [&counts](std::uint64_t i) { counts.count(i); });
      EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 1; })) << iterations;
      const auto waiting = [&counts](std::uint64_t i) -> task<> {
        co_await yield();
        counts.count(i);
      };
      co_await stealable_for(0, iterations, waiting, 3);
      EXPECT_TRUE(std::ranges::all_of(counts.runs, [](int n) { return n == 2; })) << iterations;
    }
  });
}

ATOLL_RUN_ON_ALL(stealing);
