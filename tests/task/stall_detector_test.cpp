// Tests the stall detector. If a task runs for too long without letting other tasks run, a warning
// must name the task.

#include "support/captured_stderr.hpp"
#include "support/processor_time.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;
using testing::HasSubstr;
using testing::Not;

namespace {

class stall_detector : public test::on_pes {
 protected:
  stall_detector() { options.stall_time = 20'000'000; }

  /// Returns what the job prints on standard error.
  std::string said(const main_function& program) const {
    const test::captured_stderr captured;
    run(program);
    return captured.text();
  }
};

/// Returns the number of stalls on all PEs since this job began.
task<std::uint64_t> stalls() {
  std::uint64_t all = 0;
  const auto counters = co_await read_counters();
  for (const auto& of_pe : counters) all += of_pe.stalls;
  co_return all;
}

TEST_P(stall_detector, names_the_line_where_the_task_was_spawned) {
  std::string line;
  const std::string text = said([&]() -> task<> {
    const auto last = pes() - 1;
    const auto on_last = []() -> task<> {
      const auto start = [] { spawn([] { test::compute_for(400'000'000); }); };
      co_await finish(start);
    };
    line = "stall_detector_test.cpp:" + std::to_string(__LINE__ - 3);
    co_await call(last, on_last);
    const auto counted = co_await stalls();
    EXPECT_EQ(counted, 1u);
  });
  EXPECT_THAT(text, HasSubstr("PE " + std::to_string(size() - 1)));
  EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, HasSubstr("20 ms"));
  EXPECT_THAT(text, HasSubstr("--stall-time"));
}

// The limit is much longer than a task runs, because the kernel can count a pause of the machine as
// processor time.
TEST_P(stall_detector, says_nothing_of_tasks_that_yield) {
  options.stall_time = 200'000'000;
  const std::string text = said([]() -> task<> {
    for (int i = 0; i < 500; ++i) {
      test::compute_for(1'000'000);
      co_await yield();
    }
    const auto counted = co_await stalls();
    EXPECT_EQ(counted, 0u);
  });
  EXPECT_THAT(text, Not(HasSubstr("--stall-time")));
}

TEST_P(stall_detector, says_nothing_of_tasks_that_wait) {
  const std::string text = said([]() -> task<> {
    co_await sleep_for(100'000'000);
    const auto counted = co_await stalls();
    EXPECT_EQ(counted, 0u);
  });
  EXPECT_THAT(text, Not(HasSubstr("--stall-time")));
}

TEST_P(stall_detector, says_nothing_when_it_is_off) {
  options.stall_time = 0;
  const std::string text = said([]() -> task<> {
    test::compute_for(100'000'000);
    const auto counted = co_await stalls();
    EXPECT_EQ(counted, 0u);
  });
  EXPECT_THAT(text, Not(HasSubstr("--stall-time")));
}

TEST_P(stall_detector, names_a_task_anew_when_it_stalls_again) {
  const std::string text = said([]() -> task<> {
    for (int i = 0; i < 3; ++i) {
      test::compute_for(150'000'000);
      co_await yield();
      test::compute_for(5'000'000);
      co_await yield();
    }
    const auto counted = co_await stalls();
    // The kernel counts processor time in ticks, so one of the three stalls can end just before its
    // limit.
    EXPECT_GE(counted, 2u);
  });
}

// The detector interrupts the PE by a signal. The signal handler must not use the memory of an
// ended task, because the memory can already be freed.
TEST_P(stall_detector, does_not_look_at_a_task_that_has_ended) {
  struct asker {
    bool& ran;
    ~asker() { ran = ran || this_pe().tasks->current() != nullptr; }
  };
  run([]() -> task<> {
    bool ran_at_its_end = false;
    co_await finish([&] {
      spawn([last = std::make_unique<asker>(ran_at_its_end)] { EXPECT_NE(last, nullptr); });
    });
    EXPECT_FALSE(ran_at_its_end);
  });
}

ATOLL_RUN_IN_PARALLEL_ON(stall_detector, 1, 3);

}  // namespace
