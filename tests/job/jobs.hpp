#pragma once
// Jobs for tests of the transport. A function runs on several PEs, as processes and as threads.

#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "support/replay.hpp"
#include "support/sanitizers.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace atl::job {

using test::only_threads;
using test::sanitized;
using transport::awaited;
using transport::delivery;

/// Fails the job with exit status 1 if `condition` is false. Functions on PEs call `require`
/// instead of the macros of GoogleTest, because a PE may be in another process.
inline void require(bool condition, const std::string& sentence) {
  if (!condition) fail(errc::wrong_result, "{}", sentence);
}

/// A way to run the PEs of a test: as processes, as threads, or simulated under a seed.
struct way {
  pe_kind kind = pe_kind::process;
  std::uint64_t sim_seed = 0;  ///< seed of the simulation; 0: the job is not simulated

  std::string name() const {
    if (sim_seed != 0) return "sim_" + std::to_string(sim_seed);
    return kind == pe_kind::process ? "processes" : "threads";
  }
};

inline settings job_settings(int pes, const way& how) {
  settings options;
  options.pes = static_cast<std::uint64_t>(pes);
  options.pe_kind = how.kind;
  if (how.sim_seed != 0) options.transport = transport_kind::sim;
  options.sim_seed = test::simulated_with(how.sim_seed);
  return options;
}

inline settings job_settings(int pes, pe_kind kind) { return job_settings(pes, way{kind}); }

inline std::byte* acquire_waiting(endpoint& wire, int destination) {
  std::byte* buffer = wire.acquire(destination);
  for (; buffer == nullptr; buffer = wire.acquire(destination)) wire.wait(forever);
  return buffer;
}

inline delivery poll_waiting(endpoint& wire) {
  delivery arrived = wire.poll();
  for (; arrived.data == nullptr; arrived = wire.poll()) wire.wait(forever);
  return arrived;
}

/// Sends one small buffer, which only notifies the receiver.
inline void notify(endpoint& wire, int destination) {
  *acquire_waiting(wire, destination) = std::byte{1};
  wire.submit(destination, 1);
}

inline int await_notice(endpoint& wire) {
  const int source = poll_waiting(wire).source;
  wire.release();
  return source;
}

/// A fixture for tests with even and odd numbers of PEs, as processes, as threads and simulated.
class jobs : public testing::TestWithParam<std::tuple<int, way>> {
 protected:
  jobs() : options_(job_settings(std::get<0>(GetParam()), std::get<1>(GetParam()))) {}

  int pes() const { return std::get<0>(GetParam()); }
  int run(const pe_main& body) { return run_pes(options_, body); }

  settings options_;
};

inline std::string job_name(const testing::TestParamInfo<std::tuple<int, way>>& info) {
  return std::to_string(std::get<0>(info.param)) + "_" + std::get<1>(info.param).name();
}

inline std::vector<std::tuple<int, way>> job_shapes(const std::vector<way>& ways,
                                                    const std::vector<int>& sizes) {
  std::vector<std::tuple<int, way>> shapes;
  for (const int pes : sizes)
    for (const way& how : ways)
      if (how.kind == pe_kind::thread || !only_threads) shapes.emplace_back(pes, how);
  return shapes;
}

#define ATOLL_INSTANTIATE(suite, ways, ...)                                                        \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      all, suite, testing::ValuesIn(job_shapes(ways, std::vector<int>{__VA_ARGS__})), job_name)

inline const std::vector<way> both_kinds{{pe_kind::process}, {pe_kind::thread}};
inline const std::vector<way> processes_only{{pe_kind::process}};
inline const std::vector<way> in_one_process{{pe_kind::thread}, {pe_kind::thread, 1}};

/// All ways to run a job: PEs as processes, PEs as threads, and some seeds of the simulation.
inline const std::vector<way> all_ways{{pe_kind::process},   {pe_kind::thread},
                                       {pe_kind::thread, 1}, {pe_kind::thread, 2},
                                       {pe_kind::thread, 3}, {pe_kind::thread, 4}};

}  // namespace atl::job

namespace atl::transport {
using namespace job;  // The tests of the transport also run jobs.
}  // namespace atl::transport
