// Tests how jobs begin and end.

#include "job/jobs.hpp"

#include <csignal>
#include <cstdlib>
#include <sched.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::job {
namespace {

using bootstrap = jobs;
class bootstrap_of_processes : public jobs {};
class bootstrap_in_one_process : public jobs {};

TEST_P(bootstrap, runs_every_pe_once_and_pe_0_in_the_caller) {
  int ran = 0;
  const pid_t caller = getpid();
  const int status = run([&](endpoint& wire) {
    require(wire.size() == pes(), "the number of PEs is not the one asked for");
    if (wire.rank() == 0) {
      require(getpid() == caller, "PE 0 is not the caller");
      ran = 1;
      for (int others = wire.size() - 1; others > 0; --others) await_notice(wire);
    } else {
      notify(wire, 0);
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ran, 1);
}

TEST_P(bootstrap, returns_the_largest_status) {
  EXPECT_EQ(run([](endpoint& wire) { return wire.rank(); }), pes() - 1);
  EXPECT_EQ(run([](endpoint& wire) { return wire.rank() == 0 ? 9 : 2; }), 9);
}

TEST_P(bootstrap, ends_all_pes_by_fail_of_any) {
  for (int culprit = 0; culprit < pes(); ++culprit) {
    const int status = run([&](endpoint& wire) {
      if (wire.rank() == culprit) {
        wire.fail(3);
        return 0;
      }
      for (;;) wire.wait(forever);
    });
    EXPECT_EQ(status, 3);
  }
}

TEST_P(bootstrap_of_processes, end_pes_that_neither_poll_nor_wait) {
  const int status = run([](endpoint& wire) {
    if (wire.rank() == 0) {
      wire.fail(3);
      return 0;
    }
    for (;;) pause();
  });
  EXPECT_EQ(status, 3);
}

TEST_P(bootstrap, throws_on_what_pe_0_throws) {
  const auto body = [](endpoint& wire) -> int {
    if (wire.rank() == 0) fail(errc::input, "--x: 3 is bad");
    for (;;) wire.wait(forever);
  };
  try {
    run(body);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const error& failure) {
    EXPECT_STREQ(failure.what(), "--x: 3 is bad");
  }
}

TEST_P(bootstrap_of_processes, turn_an_exception_of_another_pe_into_its_status) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run([](endpoint& wire) -> int {
              if (wire.rank() == wire.size() - 1) fail(errc::input, "--x: 3 is bad");
              for (;;) wire.wait(forever);
            }),
            2);
  EXPECT_EQ(run([](endpoint& wire) -> int {
              if (wire.rank() == 1) throw std::runtime_error("it broke");
              for (;;) wire.wait(forever);
            }),
            4);
  EXPECT_EQ(run([](endpoint& wire) -> int {
              if (wire.rank() == 1) throw 1;
              for (;;) wire.wait(forever);
            }),
            4);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("PE " + std::to_string(pes() - 1) + ": error: --x: 3 is bad\n"), said.npos);
  EXPECT_NE(said.find("PE 1: error: it broke\n"), said.npos);
}

/// An exception whose text takes 0.8 s to make. At the end of a job, the job waits for its PEs for
/// less than 0.8 s.
struct slow_words : std::exception {
  const char* what() const noexcept override {
    usleep(800'000);
    return "slow words";
  }
};

TEST_P(bootstrap_of_processes, wait_for_the_words_of_the_pe_that_ends_them) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run([](endpoint& wire) -> int {
              if (wire.rank() == 1) throw slow_words();
              for (;;) wire.wait(forever);
            }),
            4);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("PE 1: error: slow words\n"), said.npos) << said;
}

TEST_P(bootstrap_in_one_process, throws_on_what_another_pe_throws) {
  EXPECT_THROW(run([](endpoint& wire) -> int {
                 if (wire.rank() == wire.size() - 1) throw std::runtime_error("it broke");
                 for (;;) wire.wait(forever);
               }),
               std::runtime_error);
}

TEST_P(bootstrap, gives_back_signals_mask_affinity_and_children) {
  struct sigaction before[NSIG] = {};
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, nullptr, &before[signal]);
  sigset_t mask_before, mask_after;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  cpu_set_t cpus_before, cpus_after;
  sched_getaffinity(0, sizeof cpus_before, &cpus_before);
  for (const int wanted : {0, 5}) {
    EXPECT_EQ(run([&](endpoint& wire) {
                if (wanted != 0) wire.fail(wanted);
                return 0;
              }),
              wanted);
  }
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction after = {};
    sigaction(signal, nullptr, &after);
    EXPECT_EQ(after.sa_handler, before[signal].sa_handler) << signal;
    EXPECT_EQ(after.sa_flags, before[signal].sa_flags) << signal;
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_after);
  for (int signal = 1; signal < NSIG; ++signal)
    EXPECT_EQ(sigismember(&mask_after, signal), sigismember(&mask_before, signal)) << signal;
  sched_getaffinity(0, sizeof cpus_after, &cpus_after);
  EXPECT_TRUE(CPU_EQUAL(&cpus_before, &cpus_after));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

ATOLL_INSTANTIATE(bootstrap, all_ways, 1, 2, 3, 4, 7, 8);
ATOLL_INSTANTIATE(bootstrap_of_processes, processes_only, 2, 3, 4, 7, 8);
ATOLL_INSTANTIATE(bootstrap_in_one_process, in_one_process, 1, 2, 3, 4, 7, 8);

TEST(bootstrap_limits, refuse_a_job_within_a_job) {
  const pe_kind kind = only_threads ? pe_kind::thread : pe_kind::process;
  EXPECT_EQ(run_pes(job_settings(1, kind),
                    [&](endpoint&) {
                      EXPECT_THROW(run_pes(job_settings(1, kind), [](endpoint&) { return 0; }),
                                   error);
                      return 7;
                    }),
            7);
}

TEST(bootstrap_limits, refuse_more_pes_than_the_table_allows) {
  EXPECT_THROW(run_pes(job_settings(1025, pe_kind::process), [](endpoint&) { return 0; }), error);
}

/// Runs a job in a new process. A resource limit forbids this process to start other processes.
int job_at_the_process_limit() {
  const rlimit none{1, 1};
  if (setrlimit(RLIMIT_NPROC, &none) != 0) return 10;
  // The limit on processes does not apply to root.
  if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0) return 11;
  try {
    run_pes(job_settings(8, pe_kind::process), [](endpoint&) { return 0; });
  } catch (const error& failure) {
    const std::string text = failure.what();
    const bool named = text.find("limit of processes") != text.npos &&
                       text.find("--pes") != text.npos && failure.code() == errc::environment;
    return named && waitpid(-1, nullptr, WNOHANG) == -1 ? 0 : 12;
  }
  return 13;
}

TEST(bootstrap_limits, name_the_limit_of_processes) {
  if (only_threads) GTEST_SKIP();
  const pid_t child = fork();
  if (child == 0) _exit(job_at_the_process_limit());
  int ending = 0;
  ASSERT_EQ(waitpid(child, &ending, 0), child);
  ASSERT_TRUE(WIFEXITED(ending));
  EXPECT_EQ(WEXITSTATUS(ending), 0);
}

}  // namespace
}  // namespace atl::job
