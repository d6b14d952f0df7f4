// Tests the simulated transport. A seed determines the schedule, and time is simulated. A test may
// request that a PE dies during the job. If a job cannot continue, the job must report that it
// cannot continue.

#include "atoll/log.hpp"
#include "atoll/transport/site_word.hpp"
#include "job/jobs.hpp"
#include "support/captured_stderr.hpp"
#include "support/replay.hpp"
#include "transport/durations.hpp"

#include <array>
#include <gmock/gmock.h>
#include <set>

namespace atl::transport {
namespace {

using testing::HasSubstr;

settings simulated(int pes, std::uint64_t seed = 1) {
  settings options = job_settings(pes, way{pe_kind::thread, seed});
  // number of buffers that a PE sends to another PE before it receives a buffer
  options.buffers_per_pair = 4;
  return options;
}

/// Sends some buffers from every PE to every other PE, and receives all of them.
int gossip(endpoint& wire) {
  for (int round = 0; round < 3; ++round)
    for (int pe = 0; pe < wire.size(); ++pe) notify(wire, pe);
  for (int left = 3 * wire.size(); left > 0; --left) await_notice(wire);
  return 0;
}

/// Returns the number in the job's log that identifies its schedule.
std::string schedule_of(std::uint64_t seed) {
  log::set_level(log_level::debug);
  const test::captured_stderr captured;
  settings options = simulated(3);
  options.sim_seed = seed;
  EXPECT_EQ(run_pes(options, gossip), 0);
  log::set_level(log_level::warning);
  const std::string said = captured.text();
  const auto begin = said.find("schedule ");
  return begin == said.npos ? "" : said.substr(begin, sizeof "schedule 0123456789abcdef" - 1);
}

TEST(sim_seed, gives_the_same_schedule_again) {
  for (const std::uint64_t seed : {1, 2, 77}) {
    const std::string first = schedule_of(seed);
    EXPECT_THAT(first, HasSubstr("schedule "));
    EXPECT_EQ(schedule_of(seed), first);
  }
}

TEST(sim_seed, gives_another_schedule_than_others) {
  std::set<std::string> schedules;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) schedules.insert(schedule_of(seed));
  EXPECT_GE(schedules.size(), 990u);
}

/// Returns the order in which the buffers of the other PEs arrive at PE 0.
std::vector<int> order_of_arrival(std::uint64_t seed) {
  std::vector<int> order;
  const int status = run_pes(simulated(4, seed), [&](endpoint& wire) {
    if (wire.rank() != 0) notify(wire, 0);
    while (wire.rank() == 0 && order.size() < 3) order.push_back(await_notice(wire));
    return 0;
  });
  EXPECT_EQ(status, 0);
  return order;
}

TEST(sim_seed, decides_which_pair_delivers_first) {
  if (test::seed_of_environment()) GTEST_SKIP() << "has one seed";
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) orders.insert(order_of_arrival(seed));
  EXPECT_EQ(orders.size(), 6u);
}

TEST(sim_time, is_virtual) {
  nanoseconds slept = 0;
  const int status = run_pes(simulated(2), [&](endpoint& wire) {
    const nanoseconds begin = wire.now();
    const nanoseconds end = begin + 10'000 * second;
    while (wire.now() < end) wire.wait(end);
    slept = wire.now() - begin;
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_GE(slept, 10'000 * second);
  EXPECT_LT(slept, 10'001 * second);
}

TEST(sim_time, goes_on_also_where_nobody_waits) {
  const int status = run_pes(simulated(3), [](endpoint& wire) {
    const nanoseconds end = wire.now() + 100 * microsecond;
    while (wire.now() < end) {
    }
    while (wire.now() < end + 100 * microsecond) require(!wire.poll().data, "out of nowhere");
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(sim_time, of_a_buffer_is_not_before_it_was_sent) {
  for (const std::uint64_t seed : test::seeds(50)) {
    std::array<nanoseconds, 20> sent{};
    const int status = run_pes(simulated(2, seed), [&](endpoint& wire) {
      for (nanoseconds& time : sent) {
        if (wire.rank() == 0) {
          std::byte* const buffer = acquire_waiting(wire, 1);
          time = wire.now();
          *buffer = std::byte{0};
          wire.submit(1, 1);
        } else {
          await_notice(wire);
          require(wire.now() >= time, "a buffer arrived before it was sent");
        }
      }
      return 0;
    });
    EXPECT_EQ(status, 0);
  }
}

/// Returns the exit status and the standard error of a job in which no PE ends by itself.
std::pair<int, std::string> end_of_endless_job(const settings& options) {
  const test::captured_stderr captured;
  const int status = run_pes(options, [](endpoint& wire) {
    module_table modules;
    wire.set_last_site(site_word(modules, site::current()));
    for (;;) wire.wait(wire.now() + 10 * microsecond);
    return 0;
  });
  return {status, captured.text()};
}

TEST(sim_kill, ends_the_job_as_the_death_of_a_process_does) {
  for (const int pe : {0, 1, 3}) {
    settings options = simulated(4);
    options.sim_kill = std::to_string(pe) + "@150us";
    const auto [status, said] = end_of_endless_job(options);
    EXPECT_EQ(status, 128 + 9);
    EXPECT_THAT(said, HasSubstr("atoll: PE " + std::to_string(pe) +
                                " was killed by signal 9 (Killed); the last task it started came "
                                "from sim_test.cpp:"));
  }
}

TEST(sim_kill, comes_at_its_time_and_not_to_others) {
  settings options = simulated(3);
  options.sim_kill = "1@5ms";
  std::array<nanoseconds, 3> last{};
  const test::captured_stderr captured;
  const int status = run_pes(options, [&](endpoint& wire) {
    for (;;) {
      wire.wait(wire.now() + 10 * microsecond);
      last[static_cast<std::size_t>(wire.rank())] = wire.now();
    }
    return 0;
  });
  EXPECT_EQ(status, 128 + 9);
  EXPECT_LT(last[1], 6'000 * microsecond);
  EXPECT_GT(last[1], 4'000 * microsecond);
  EXPECT_GE(last[0], 5'000 * microsecond);
}

TEST(sim_kill, after_the_end_has_no_effect) {
  settings options = simulated(3);
  options.sim_kill = "1@10s";
  EXPECT_EQ(run_pes(options, gossip), 0);
}

std::string refusal(const std::string& kill) {
  settings options = simulated(3);
  options.sim_kill = kill;
  try {
    run_pes(options, gossip);
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    return refused.what();
  }
  return "";
}

TEST(sim_kill, refuses_what_it_does_not_understand) {
  EXPECT_EQ(refusal("1"), "sim-kill: \"1\" is not a PE and a time, as in 2@150us");
  EXPECT_EQ(refusal("3@1us"), "sim-kill: the job has no PE 3, only 0 to 2");
  EXPECT_THAT(refusal("1@soon"), HasSubstr("sim-kill: "));
}

TEST(sim_settings, are_refused_where_they_have_no_effect) {
  const auto refusal_of = [](settings options) {
    try {
      run_pes(options, gossip);
    } catch (const error& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  settings plain = simulated(2);
  plain.sim_vary = "latency=2";
  EXPECT_THAT(refusal_of(plain), HasSubstr("--sim-vary latency=2: has no effect"));
  plain.transport = transport_kind::shm;
  plain.sim_vary = "";
  plain.sim_kill = "1@1us";
  EXPECT_EQ(refusal_of(plain), "--sim-kill 1@1us: has no effect without --transport sim");
  plain.sim_kill = "";
  plain.sim_model = sim_model::modern;
  EXPECT_THAT(refusal_of(plain), HasSubstr("--sim-model modern: has no effect"));
}

TEST(sim_hang, ends_a_job_that_cannot_go_on_with_status_3) {
  const test::captured_stderr captured;
  const int status = run_pes(simulated(3), [](endpoint& wire) {
    if (wire.rank() == 2) return 0;
    if (wire.rank() == 1) notify(wire, 0);
    for (;;) await_notice(wire);
  });
  EXPECT_EQ(status, 3);
  EXPECT_THAT(captured.text(),
              HasSubstr("atoll: hang: nothing is under way, and the program has not ended ("));
}

TEST(sim_hang, of_a_sender_without_room_is_one_too) {
  settings options = simulated(2);
  options.buffers_per_pair = 2;
  const test::captured_stderr captured;
  const int status = run_pes(options, [](endpoint& wire) {
    if (wire.rank() == 1)
      for (;;) wire.wait(forever, awaited::room);
    for (int i = 0; i < 3; ++i) notify(wire, 1);
    return 0;
  });
  EXPECT_EQ(status, 3);
}

TEST(sim_size, may_be_thousands_of_pes) {
  const int pes = test::sanitized ? 1500 : max_pes;
  const int status = run_pes(simulated(pes), [](endpoint& wire) {
    const int next = (wire.rank() + 1) % wire.size();
    for (int round = 0; round < 4; ++round) {
      notify(wire, next);
      require(await_notice(wire) == (wire.rank() + wire.size() - 1) % wire.size(), "wrong source");
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

/// Throws and handles an exception while another PE handles its own exception.
void throw_and_wait_in_the_handler(endpoint& wire, int depth) {
  try {
    throw depth;
  } catch (int caught) {
    wire.wait(wire.now() + 10 * microsecond);
    if (depth > 0) throw_and_wait_in_the_handler(wire, depth - 1);
    require(caught == depth && std::uncaught_exceptions() == 0, "it is another PE's exception");
    try {
      throw;
    } catch (int again) {
      require(again == depth, "it is another PE's exception");
    }
  }
}

TEST(sim_exceptions, belong_to_their_pe) {
  const int status = run_pes(simulated(5), [](endpoint& wire) {
    for (int round = 0; round < 20; ++round)
      throw_and_wait_in_the_handler(wire, (round + wire.rank()) % 4);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace atl::transport
