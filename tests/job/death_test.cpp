// Tests what happens when a PE dies or a user interrupts the job.

#include "atoll/transport/clock.hpp"
#include "atoll/transport/site_word.hpp"
#include "job/jobs.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::job {
namespace {

class death : public jobs {};
class interruption : public jobs {};

int wait_for_the_end(endpoint& wire) {
  for (;;) wire.wait(forever);
}

/// Returns the number of memory regions of jobs that this process still maps.
int mapped_regions() {
  std::ifstream maps("/proc/self/maps");
  int found = 0;
  for (std::string line; std::getline(maps, line);) found += line.find("memfd:atoll") != line.npos;
  return found;
}

void expect_nothing_left() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  EXPECT_EQ(mapped_regions(), 0);
}

TEST_P(death, by_a_signal_ends_the_job_and_is_reported) {
  for (int victim = 1; victim < pes(); ++victim) {
    testing::internal::CaptureStderr();
    const int status = run([&](endpoint& wire) {
      module_table modules;
      wire.set_last_site(transport::site_word(modules, site::current()));
      if (wire.rank() == victim) raise(SIGKILL);
      return wait_for_the_end(wire);
    });
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, 128 + SIGKILL);
    EXPECT_NE(said.find("PE " + std::to_string(victim) + " was killed by signal 9 (Killed); the " +
                        "last task it started came from death_test.cpp:"),
              said.npos)
        << said;
    expect_nothing_left();
  }
  EXPECT_EQ(run([](endpoint&) { return 0; }), 0) << "no job can be run afterwards";
}

TEST_P(death, of_a_pe_that_holds_a_buffer_ends_the_job) {
  const int status = run([&](endpoint& wire) {
    notify(wire, wire.rank());
    if (wire.rank() == 1) {
      wire.acquire(0);
      wire.poll();
      raise(SIGKILL);
    }
    return wait_for_the_end(wire);
  });
  EXPECT_EQ(status, 128 + SIGKILL);
  expect_nothing_left();
}

TEST_P(death, by_exit_ends_the_job) {
  for (const auto& [exited, expected] : {std::pair{7, 7}, std::pair{0, 4}}) {
    const int status = run([code = exited](endpoint& wire) {
      if (wire.rank() == 1) _exit(code);
      return wait_for_the_end(wire);
    });
    EXPECT_EQ(status, expected);
    expect_nothing_left();
  }
}

TEST_P(death, of_a_stopped_pe_is_still_a_death) {
  const int status = run([](endpoint& wire) {
    if (wire.rank() == 1) raise(SIGSTOP);
    if (wire.rank() != 0) return wait_for_the_end(wire);
    wire.wait(wire.now() + 50'000'000);  // PE 1 is stopped, not dead, so the job continues.
    wire.fail(6);
    return 0;
  });
  EXPECT_EQ(status, 6);
  expect_nothing_left();
}

TEST_P(death, is_noticed_when_pe_0_has_ended_already) {
  const int status = run([](endpoint& wire) {
    if (wire.rank() == 0) return 0;
    wire.wait(wire.now() + 20'000'000);
    if (wire.rank() == 1) raise(SIGKILL);
    return wait_for_the_end(wire);
  });
  EXPECT_EQ(status, 128 + SIGKILL);
  expect_nothing_left();
}

TEST_P(interruption, ends_the_job_cleanly) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const int status = run([&](endpoint& wire) {
      if (wire.rank() == 0) kill(getpid(), signal);
      return wait_for_the_end(wire);
    });
    EXPECT_EQ(status, 128 + signal);
    expect_nothing_left();
  }
}

ATOLL_INSTANTIATE(death, processes_only, 2, 3, 4, 7, 8);
ATOLL_INSTANTIATE(interruption, all_ways, 1, 2, 3, 4, 7, 8);

/// Runs `program` in a process of its own. Returns its exit status, or 128 + SIGALRM if it does not
/// end.
int status_in_own_process(const std::function<int()>& program) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    _exit(program());
  }
  int ending = 0;
  waitpid(child, &ending, 0);
  return WIFEXITED(ending) ? WEXITSTATUS(ending) : 128 + WTERMSIG(ending);
}

TEST(death_while_pe_0_computes, ends_the_process) {
  if (only_threads) GTEST_SKIP();
  const int status = status_in_own_process([] {
    return run_pes(job_settings(3, pe_kind::process), [](endpoint& wire) {
      if (wire.rank() == 2) raise(SIGKILL);
      for (volatile bool forever = true; forever;) {
      }
      return 0;
    });
  });
  EXPECT_EQ(status, 128 + SIGKILL);
}

// On a loaded machine, a PE can be without a processor for a while. If another PE dies, a PE
// without a processor must still get the time to unwind its stack, and must not be killed at once.
TEST(death_while_pe_0_has_no_processor, lets_it_unwind) {
  if (only_threads) GTEST_SKIP();
  const int status = status_in_own_process([] {
    const int ended = run_pes(job_settings(2, pe_kind::process), [](endpoint& wire) {
      if (wire.rank() == 1) _exit(7);
      for (const auto end = monotonic_now() + 900'000'000; monotonic_now() < end;) usleep(50'000);
      return wait_for_the_end(wire);
    });
    return ended == 7 ? 42 : 1;
  });
  EXPECT_EQ(status, 42);
}

TEST(death_by_a_second_interruption, is_immediate) {
  if (only_threads) GTEST_SKIP();
  const int status = status_in_own_process([] {
    return run_pes(job_settings(3, pe_kind::process), [](endpoint& wire) {
      if (wire.rank() != 0) return wait_for_the_end(wire);
      kill(getpid(), SIGINT);
      kill(getpid(), SIGINT);
      return 0;
    });
  });
  EXPECT_EQ(status, 128 + SIGINT);
}

TEST(death_by_a_fatal_signal, says_which_pe_and_where) {
  if (only_threads) GTEST_SKIP();
  testing::internal::CaptureStderr();
  const int status = run_pes(job_settings(2, pe_kind::process), [](endpoint& wire) {
    if (wire.rank() == 1) std::abort();
    return wait_for_the_end(wire);
  });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 128 + SIGABRT);
  EXPECT_NE(said.find("atoll: PE 1: signal 6 (Aborted)\n"), said.npos) << said;
  EXPECT_NE(said.find("atoll: PE 1 was killed by signal 6 (Aborted)\n"), said.npos) << said;
}

}  // namespace
}  // namespace atl::job
