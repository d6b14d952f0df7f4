// Tests hang reports, except for the lines about waiting tasks. Also tests programs that do not
// hang, although they make no progress for a while.

#include "atoll/collectives.hpp"
#include "atoll/log.hpp"
#include "support/captured_stderr.hpp"
#include "support/never.hpp"
#include "support/processor_time.hpp"
#include "support/run_on.hpp"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <mutex>
#include <thread>

using namespace atl;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

namespace {

constexpr std::int64_t k_millisecond = 1'000'000;

class hang_report : public test::on_pes {
 protected:
  hang_report() { options.hang_timeout = 200 * k_millisecond; }

  /// Runs a job that must end with the status `expected`. Returns the text that the job prints.
  std::string said(int expected, const main_function& program) const {
    const test::captured_stderr captured;
    EXPECT_EQ(test::status_of(options, program), expected);
    return captured.text();
  }

  bool others_are_processes() const { return size() > 1 && GetParam().kind == pe_kind::process; }

  std::string all_pes() const {
    return size() == 1 ? "PE 0" : "PEs 0-" + std::to_string(size() - 1);
  }
};

TEST_P(hang_report, counts_the_tasks_of_each_line) {
  // A hang without work in flight needs no time-out.
  options.hang_timeout = 3'600'000 * k_millisecond;
  unsigned line = 0;
  const std::string text = said(3, [&]() -> task<> {
    const auto wait_in_tasks = []() -> task<> {
      for (int i = 0; i < 700; ++i) spawn([] { return test::wait_for_ever(); });
      co_return;
    };
    line = __LINE__ - 3;
    co_await on_all_pes(wait_in_tasks);
  });
  EXPECT_THAT(text, HasSubstr("nothing is under way"));
  EXPECT_THAT(text, HasSubstr(fmt::format("  {} tasks on {} wait at hang_report_test.cpp:{} (spaw"
                                          "ned at hang_report_test.cpp:{})\n",
                                          grouped_digits(700 * static_cast<unsigned>(size())),
                                          all_pes(), line, line)));
  EXPECT_THAT(
      text, HasSubstr(fmt::format("  1 task on PE 0 waits at hang_report_test.cpp:{}", line + 4)));
}

TEST_P(hang_report, names_the_pe_that_is_missing_in_a_collective) {
  if (size() < 2) return;
  unsigned line = 0;
  const std::string text = said(3, [&]() -> task<> {
    const auto all_but_the_last = []() -> task<> {
      co_await all_barrier();
      if (my_pe() != pes() - 1) co_await all_barrier();
    };
    line = __LINE__ - 2;
    co_await on_all_pes(all_but_the_last);
  });
  const std::string present = size() == 2 ? "PE 0 waits" : fmt::format("PEs 0-{} wait", size() - 2);
  EXPECT_THAT(text, HasSubstr(fmt::format("  PE {} has not reached the collective that {} in at "
                                          "hang_report_test.cpp:{}\n",
                                          size() - 1, present, line)));
}

TEST_P(hang_report, names_the_line_that_began_the_work_of_all_pes) {
  if (size() < 2) return;
  for (const bool returns : {false, true}) {
    unsigned line = 0;
    const std::string text = said(3, [&]() -> task<> {
      const auto all_but_the_last = []() -> task<> {
        if (my_pe() != pes() - 1) co_await all_barrier();
      };
      const auto with_result = [all_but_the_last]() -> task<int> {
        co_await all_but_the_last();
        co_return 1;
      };
      line = __LINE__ + 1 + (returns ? 1 : 0);
      if (!returns) co_await together(all_but_the_last);
      if (returns) co_await from_all_pes(with_result);
    });
    EXPECT_THAT(text, HasSubstr(fmt::format("(spawned at hang_report_test.cpp:{})", line)));
    EXPECT_THAT(text, testing::Not(HasSubstr("collectives.hpp")));
  }
}

TEST_P(hang_report, says_which_tasks_wait_for_room) {
  if (size() < 2) return;
  options.buffers_per_pair = 2;
  options.buffer_size = 1 << 10;
  unsigned line = 0;
  const std::string text = said(3, [&]() -> task<> {
    co_await test::deafen(pes() - 1);
    for (;;) {
      async_call(pes() - 1, [] {});
      line = __LINE__ + 1;
      co_await room();
    }
  });
  EXPECT_THAT(text, HasSubstr(fmt::format("  1 task on PE 0 waits for room at "
                                          "hang_report_test.cpp:{} (spawned at ",
                                          line)));
  EXPECT_THAT(text, HasSubstr(fmt::format("  1 task on PE {} runs (spawned at ", size() - 1)));
}

TEST_P(hang_report, tells_of_stealable_tasks_that_find_no_worker) {
  options.workers = 1;
  unsigned line = 0;
  const std::string text = said(3, [&]() -> task<> {
    const auto start = [] {
      for (int i = 0; i < 10; ++i) spawn_stealable([] { return test::wait_for_ever(); });
    };
    line = __LINE__ - 2;
    co_await finish(start);
  });
  if (size() > 1) return;  // With more PEs, some of the tasks would be stolen.
  EXPECT_THAT(text, HasSubstr("  9 tasks on PE 0 are stealable and not begun (spawned at hang_re"
                              "port_test.cpp:" +
                              std::to_string(line)));
}

TEST_P(hang_report, comes_on_request_and_the_job_goes_on) {
  unsigned line = 0;
  const std::string text = said(0, [&]() -> task<> {
    const auto start = [&]() -> task<> {
      spawn([&]() -> task<> {
        line = __LINE__ + 1;
        while (!test::is_said("who waits where")) co_await sleep_for(200 * k_millisecond);
      });
      co_await sleep_for(10 * k_millisecond);
      kill(getpid(), SIGUSR1);
    };
    co_await finish(start);
  });
  EXPECT_THAT(text, HasSubstr("atoll: who waits where (SIGUSR1)\n"));
  EXPECT_THAT(text, HasSubstr(fmt::format("  1 task on PE 0 waits at hang_report_test.cpp:{} (spaw"
                                          "ned at hang_report_test.cpp:{})\n",
                                          line, line - 2)));
  EXPECT_THAT(text, Not(HasSubstr("atoll: hang")));
}

TEST_P(hang_report, comes_on_request_also_where_tasks_compute) {
  constexpr const char* expected =
      "does not answer: it computes; the last task it started came from";
  const std::string text = said(0, [=]() -> task<> {
    const auto compute = [watched = getpid()] {
      if (my_pe() != pes() - 1) return;
      kill(watched, SIGUSR1);
      while (!test::is_said(expected)) test::compute_for(20 * k_millisecond);
    };
    co_await on_all_pes(compute);
  });
  EXPECT_THAT(text, HasSubstr(expected));
}

TEST_P(hang_report, does_not_come_while_a_task_computes) {
  const std::string text = said(0, []() -> task<> {
    const auto compute = [] {
      // The PE computes for three times the time-out.
      if (my_pe() == pes() - 1) test::compute_for(600 * k_millisecond);
    };
    co_await on_all_pes(compute);
  });
  EXPECT_THAT(text, IsEmpty());
}

TEST_P(hang_report, does_not_come_while_a_task_sleeps_and_that_is_said_once) {
  options.hang_timeout = 50 * k_millisecond;
  std::string text;
  // On a busy machine, the first sleep can end before the report is due, so a longer sleep follows.
  for (const std::int64_t milliseconds : {300, 20'000}) {
    text = said(0, [=]() -> task<> { co_await sleep_for(milliseconds * k_millisecond); });
    if (!text.empty()) break;
  }
  EXPECT_THAT(text, MatchesRegex("atoll: no progress for 0.05 s: a task on PE 0 sleeps for [0-9.]+ "
                                 "s more; the job waits for it\n"));
}

TEST_P(hang_report, does_not_come_when_it_is_off) {
  options.hang_timeout = 0;
  const std::string text = said(0, []() -> task<> {
    spawn([] { usleep(500'000); });
    co_return;
  });
  EXPECT_THAT(text, IsEmpty());
}

TEST_P(hang_report, comes_where_a_task_is_blocked_in_the_system) {
  if (!others_are_processes()) return;
  const std::string text = said(3, []() -> task<> { co_await call(pes() - 1, [] { pause(); }); });
  EXPECT_THAT(text, HasSubstr(fmt::format("  PE {} does not answer: it is blocked in a system call",
                                          size() - 1)));
}

TEST_P(hang_report, waits_for_a_pe_that_is_stopped) {
  if (!others_are_processes()) return;
  const std::string text = said(0, []() -> task<> {
    const auto stop = [] {
      if (my_pe() != pes() - 1) return;
      const pid_t self = getpid();
      if (fork() == 0) {
        alarm(300);
        // The loop waits until the report is printed.
        while (lseek(STDERR_FILENO, 0, SEEK_END) == 0) usleep(10'000);
        kill(self, SIGCONT);
        _exit(0);
      }
      raise(SIGSTOP);
    };
    co_await on_all_pes(stop);
  });
  EXPECT_EQ(text, fmt::format("atoll: no progress for 0.2 s: PE {} is stopped; the job waits for "
                              "it\n",
                              size() - 1));
}

// All simulated PEs share a thread, so a blocked PE also blocks all other PEs. The PE is blocked
// for 1.5 seconds, which is less than the time after which the runtime kills the job.
TEST(hang_report_of_simulated_pes, comes_where_one_is_blocked) {
  const auto sleep = [] { usleep(1'500'000); };
  const auto lock = [] {
    std::timed_mutex held;
    held.lock();
    const auto wait = [&held] { held.try_lock_for(std::chrono::milliseconds(1'500)); };
    std::thread(wait).join();
  };
  const auto report = [](int pes, auto blocked) {
    settings options = test::simulated_job_of(pes, 1);
    options.hang_timeout = 200 * k_millisecond;
    const test::captured_stderr captured;
    const auto block_the_last = [blocked]() -> task<> { co_await call(atl::pes() - 1, blocked); };
    EXPECT_EQ(test::status_of(options, block_the_last), 3);
    return captured.text();
  };
  for (const int pes : {1, 2, 3}) {
    const std::string text = pes % 2 != 0 ? report(pes, sleep) : report(pes, lock);
    EXPECT_THAT(text, HasSubstr("no progress for 0.2 s (--hang-timeout)\n"));
    EXPECT_THAT(text, HasSubstr(fmt::format(
                          "  PE {} is blocked in a system call, and with it all PEs", pes - 1)));
  }
}

ATOLL_RUN_IN_PARALLEL_ON(hang_report, 1, 2, 3, 4);

}  // namespace
