// Tests flat combining, which merges the requests of several tasks into one operation. The tested
// structure is a counter.

#include "support/run_on.hpp"

#include <numeric>

using namespace atl;

namespace {

class combining : public test::on_pes {};

/// A counter in a word of PE 0. A request adds to the counter, and gets the previous value as its
/// answer. If `refuses` is true, a combined batch of requests that adds 13 or more is refused.
struct counter_proxy {
  using request = std::uint64_t;
  using answer = std::uint64_t;
  using pending = combine::pending<request, answer>;

  global_address<std::uint64_t> word;
  bool refuses = false;

  combine::merged merge(const request& amount, answer& before, std::span<pending>) {
    if (amount != 0) return combine::merged::waits;
    before = 0;
    return combine::merged::answered;
  }

  task<> sync(std::span<pending> batch) {
    std::uint64_t sum = 0;
    for (const auto& one : batch) sum += one.request;
    if (refuses && sum >= 13) fail(errc::input, "{} is too much", sum);
    std::uint64_t before = co_await fetch_add(word, sum);
    for (const auto& one : batch) {
      *one.answer = before;
      before += one.request;
    }
  }
};

constexpr combining_mode k_modes[] = {combining_mode::none, combining_mode::central,
                                      combining_mode::local, combining_mode::both};

/// Runs the coroutine `body(counter, word)` with a counter in each mode.
template <class Body>
main_function with_counters(std::uint64_t batch, bool refuses, Body body) {
  return [=]() -> task<> {
    for (const combining_mode mode : k_modes) {
      const auto words = co_await make_array<std::uint64_t>(1);
      const combining_options options(mode, batch);
      const counter_proxy first{words[0], refuses};
      const auto counter = co_await flat_combining<counter_proxy>::make(first, options);
      co_await body(counter, words[0]);
      co_await counter.destroy();
      co_await words.destroy();
    }
  };
}

using counter_of_all = flat_combining<counter_proxy>;

TEST_P(combining, every_request_has_an_answer_of_its_own) {
  run(with_counters(16, false, [](counter_of_all counter, auto word) -> task<> {
    constexpr std::uint64_t requests = 200;
    const auto seen = co_await make_array<std::uint64_t>(requests);
    const auto draw = [=](std::uint64_t) -> task<> {
      const std::uint64_t before = co_await counter.perform(1);
      async_fetch_add(seen[before], 1);
    };
    co_await parallel_for(requests, draw);
    EXPECT_EQ(co_await read(word), requests);
    std::vector<std::uint64_t> times(requests);
    co_await get(seen, 0, times);
    EXPECT_EQ(times, std::vector<std::uint64_t>(requests, 1));
    EXPECT_EQ(co_await counter.perform(0), 0u);  // `merge` itself answers a request that adds 0.
    co_await seen.destroy();
  }));
}

TEST_P(combining, tasks_that_wait_go_on_in_the_order_in_which_they_came) {
  if (size() > 4) return;
  const auto program = []() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(1);
    const combining_options options(combining_mode::local, 1024);
    const auto counter =
        co_await flat_combining<counter_proxy>::make(counter_proxy{words[0]}, options);
    std::vector<std::uint64_t> went_on;
    const auto start_all = [&] {
      for (std::uint64_t i = 0; i < 100; ++i) {
        spawn([&, i]() -> task<> {
          co_await counter.do_only(1);
          went_on.push_back(i);
        });
      }
    };
    co_await finish(start_all);
    std::vector<std::uint64_t> came(100);
    std::iota(came.begin(), came.end(), 0u);
    EXPECT_EQ(went_on, came);
    co_await counter.destroy();
    co_await words.destroy();
  };
  run(program);
}

TEST_P(combining, a_commit_that_throws_fails_its_requests_and_no_others) {
  run(with_counters(1024, true, [](counter_of_all counter, auto word) -> task<> {
    std::uint64_t failures = 0;
    try {
      co_await counter.do_only(13);
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.code(), errc::input);
      EXPECT_STREQ(refusal.what(), "13 is too much");
      ++failures;
    }
    EXPECT_EQ(failures, 1u);
    co_await counter.do_only(2);
    EXPECT_EQ(co_await counter.perform(3), 2u);
    EXPECT_EQ(co_await read(word), 5u);
  }));
}

TEST_P(combining, all_tasks_that_wait_get_the_error) {
  run(with_counters(8, true, [](counter_of_all counter, auto word) -> task<> {
    const auto tries = co_await make_array<std::uint64_t>(1);
    const auto too_much = [=](std::uint64_t) -> task<> {
      bool failed = false;
      try {
        co_await counter.do_only(20);
      } catch (const error&) {
        failed = true;
      }
      if (failed) async_fetch_add(tries[0], 1);
    };
    co_await parallel_for(100, too_much);
    EXPECT_EQ(co_await read(tries[0]), 100u);
    EXPECT_EQ(co_await read(word), 0u);
    co_await tries.destroy();
  }));
}

TEST_P(combining, asynchronous_requests_are_done_when_their_scope_ends) {
  run(with_counters(32, false, [](counter_of_all counter, auto word) -> task<> {
    const auto add = [=](std::uint64_t i) { counter.async(i % 3); };
    co_await parallel_for(300, add);
    EXPECT_EQ(co_await read(word), 300u);
  }));
}

TEST_P(combining, the_scope_gets_the_error_of_an_asynchronous_request) {
  run(with_counters(32, true, [](counter_of_all counter, auto word) -> task<> {
    std::string said;
    const auto add = [=] { counter.async(14); };
    try {
      co_await finish(add);
    } catch (const error& refusal) {
      said = refusal.what();
    }
    EXPECT_EQ(said, "14 is too much");
    EXPECT_EQ(co_await read(word), 0u);
  }));
}

TEST_P(combining, statistics_tell_what_was_combined) {
  run(with_counters(10, false, [](counter_of_all counter, auto) -> task<> {
    const auto add = [=](std::uint64_t) -> task<> { co_await counter.do_only(1); };
    co_await parallel_for(500, add);
    const auto found = co_await counter.statistics();
    EXPECT_EQ(found.operations, 500u);
    EXPECT_GE(found.commits, 50u);
    EXPECT_LE(found.commits, 500u);
    EXPECT_EQ(std::accumulate(found.batch_sizes.begin(), found.batch_sizes.end(), std::uint64_t{0}),
              found.commits);
    EXPECT_GE(found.requests_at_master, found.commits_of_master);
  }));
}

ATOLL_RUN_ON_ALL(combining);

}  // namespace
