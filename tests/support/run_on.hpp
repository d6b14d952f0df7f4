#pragma once
// Jobs for tests: a program on several PEs, as processes and as threads. An expectation that fails
// on any PE fails the test, whatever process it is in, and a job that hangs ends with a message.

#include "atoll/atoll.hpp"
#include "support/shared_failures.hpp"
#include "support/watch_dog.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define ATOLL_TEST_ONLY_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ATOLL_TEST_ONLY_THREADS 1
#endif
#endif

namespace atoll::test {

/// A thread sanitizer cannot follow a fork.
#ifdef ATOLL_TEST_ONLY_THREADS
inline constexpr bool only_threads = true;
#else
inline constexpr bool only_threads = false;
#endif

/// Sizes of tests that take long where every access is checked.
#ifdef ATOLL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// The settings of a test's job: the defaults, without what varies with the load of the machine.
inline settings job_of(int pes, pe_kind kind = only_threads ? pe_kind::thread : pe_kind::process) {
  settings options;
  options.pes = static_cast<std::uint64_t>(pes);
  options.pe_kind = kind;
  options.stall_time = 0;
  options.log_level = log_level::error;
  return options;
}

/// Runs the job with a watch-dog and returns its exit status; what is expected on other PEs counts
/// here.
inline int status_of(const settings& options, const main_function& program, bool spmd = false) {
  const shared_failures failures;
  const watch_dog dog;
  return spmd ? run_job_spmd(options, program) : run_job(options, program);
}

/// Runs `program`, a coroutine, as the main task of a job that must succeed.
inline void run_on(const settings& options, const main_function& program) {
  EXPECT_EQ(status_of(options, program), 0);
}

/// Runs `program` on every PE of a job that must succeed.
inline void run_spmd_on(const settings& options, const main_function& program) {
  EXPECT_EQ(status_of(options, program, true), 0);
}

/// Runs `program`, a coroutine, as the main task of a job of one PE.
inline void run_alone(const main_function& program) { run_on(job_of(1), program); }

using shape = std::tuple<int, pe_kind>;

inline std::vector<shape> shapes(const std::vector<int>& sizes) {
  std::vector<shape> all;
  for (const int pes : sizes) {
    if (!only_threads) all.emplace_back(pes, pe_kind::process);
    all.emplace_back(pes, pe_kind::thread);
  }
  return all;
}

inline std::string shape_name(const testing::TestParamInfo<shape>& info) {
  const bool processes = std::get<1>(info.param) == pe_kind::process;
  return std::to_string(std::get<0>(info.param)) + (processes ? "_processes" : "_threads");
}

/// Base of test suites that run on all shapes of jobs; a test may change `options` before it runs.
class on_pes : public testing::TestWithParam<shape> {
 protected:
  on_pes() : options(job_of(std::get<0>(GetParam()), std::get<1>(GetParam()))) {}

  int size() const { return std::get<0>(GetParam()); }
  void run(const main_function& program) const { run_on(options, program); }
  void run_spmd(const main_function& program) const { run_spmd_on(options, program); }

  settings options;
};

}  // namespace atoll::test

/// Runs the suite on these numbers of PEs, as processes and as threads.
#define ATOLL_RUN_ON(suite, ...)                                                                   \
  INSTANTIATE_TEST_SUITE_P(on, suite,                                                              \
                           testing::ValuesIn(atoll::test::shapes(std::vector<int>{__VA_ARGS__})),  \
                           atoll::test::shape_name)

/// The numbers that everything is tested on.
#define ATOLL_RUN_ON_ALL(suite) ATOLL_RUN_ON(suite, 1, 2, 3, 4, 7, 8)
