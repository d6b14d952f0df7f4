#pragma once
// Runs jobs for tests. A program runs on several PEs: as processes, as threads, and simulated under
// several seeds. If an expectation fails on any PE, the test fails, even if the PE is in another
// process. If a job hangs, a watch-dog ends it with a message.

#include "atoll/atoll.hpp"
#include "support/replay.hpp"
#include "support/sanitizers.hpp"
#include "support/shared_failures.hpp"
#include "support/watch_dog.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace atl::test {

/// Returns the settings for the job of a test. The settings are the defaults, except for those
/// whose effect depends on the load of the machine.
inline settings job_of(int pes, pe_kind kind = only_threads ? pe_kind::thread : pe_kind::process) {
  settings options;
  options.pes = static_cast<std::uint64_t>(pes);
  options.pe_kind = kind;
  options.stall_time = 0;
  options.log_level = log_level::error;
  return options;
}

/// Runs the job with a time limit, and returns its exit status. If an expectation fails in another
/// process, the test also fails in this process.
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

/// A number of PEs, and how they run: as processes, as threads, or simulated under a seed.
struct shape {
  int pes;
  pe_kind kind;
  std::uint64_t sim_seed = 0;  ///< seed of the simulation; 0: the job is not simulated
};

/// Returns the settings of a simulated job.
inline settings simulated_job_of(int pes, std::uint64_t seed) {
  settings options = job_of(pes, pe_kind::thread);
  options.transport = transport_kind::sim;
  options.sim_seed = simulated_with(seed);
  return options;
}

/// Returns the settings of a job that runs PEs as `wanted` states. In a simulated job, the seed
/// decides whether all PEs are on one node, or two or three PEs on each node.
inline settings job_of(const shape& wanted) {
  if (wanted.sim_seed == 0) return job_of(wanted.pes, wanted.kind);
  constexpr std::uint64_t node_sizes[] = {3, 16, 2};
  settings options = simulated_job_of(wanted.pes, wanted.sim_seed);
  options.sim_node_size = node_sizes[wanted.sim_seed % 3];
  return options;
}

/// Number of seeds of simulated jobs. Under a thread sanitizer, no seeds are used, because the
/// sanitizer would find nothing in a simulated job, which has one thread.
inline constexpr std::uint64_t usual_seeds = only_threads ? 0 : sanitized ? 1 : 3;

/// Returns true if sanitized tests omit this number of PEs. Sanitized tests omit 4 PEs if the test
/// also runs on 3 PEs, and 8 PEs if the test also runs on 7 PEs. If ATOLL_TEST_ALL_SIZES is set, as
/// by `make test-long`, no number is omitted.
inline bool is_left_out(int pes, const std::vector<int>& sizes) {
  static const bool leaves_out = sanitized && std::getenv("ATOLL_TEST_ALL_SIZES") == nullptr;
  const auto has = [&](int size) { return std::ranges::find(sizes, size) != sizes.end(); };
  return leaves_out && ((pes == 4 && has(3)) || (pes == 8 && has(7)));
}

inline std::vector<shape> shapes(const std::vector<int>& sizes, std::uint64_t seeds) {
  std::vector<shape> all;
  for (const int pes : sizes) {
    if (is_left_out(pes, sizes)) continue;
    if (!only_threads) all.push_back({pes, pe_kind::process});
    all.push_back({pes, pe_kind::thread});
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) all.push_back({pes, pe_kind::thread, seed});
  }
  return all;
}

inline std::string shape_name(const testing::TestParamInfo<shape>& info) {
  const auto& [pes, kind, seed] = info.param;
  const std::string number = std::to_string(pes);
  if (seed != 0) return number + "_sim_" + std::to_string(seed);
  return number + (kind == pe_kind::process ? "_processes" : "_threads");
}

/// Base class of test suites that run on jobs with each number of PEs and each way to run PEs. A
/// test may change `options` before it runs the job.
class on_pes : public testing::TestWithParam<shape> {
 protected:
  on_pes() : options(job_of(GetParam())) {}

  int size() const { return GetParam().pes; }
  void run(const main_function& program) const { run_on(options, program); }
  void run_spmd(const main_function& program) const { run_spmd_on(options, program); }

  settings options;
};

}  // namespace atl::test

/// Runs the suite on these numbers of PEs, as processes, as threads and simulated.
#define ATOLL_RUN_ON(suite, ...) ATOLL_RUN_UNDER(atl::test::usual_seeds, suite, __VA_ARGS__)

/// Runs the suite on these numbers of PEs without simulation. A test in which a PE waits for
/// another PE without messages would hang in a simulation.
#define ATOLL_RUN_IN_PARALLEL_ON(suite, ...) ATOLL_RUN_UNDER(0, suite, __VA_ARGS__)

#define ATOLL_RUN_UNDER(seeds, suite, ...)                                                         \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      on, suite, testing::ValuesIn(atl::test::shapes(std::vector<int>{__VA_ARGS__}, seeds)),       \
      atl::test::shape_name)

/// Runs the suite on the numbers of PEs that most tests use.
#define ATOLL_RUN_ON_ALL(suite) ATOLL_RUN_ON(suite, 1, 2, 3, 4, 7, 8)
