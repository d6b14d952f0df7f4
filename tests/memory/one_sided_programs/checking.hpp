#pragma once
// Runs programs of one-sided access, and tells whether their results are allowed.

#include "memory/one_sided_programs/checker.hpp"
#include "memory/one_sided_programs/running.hpp"
#include "support/ended_well.hpp"
#include "support/run_on.hpp"

namespace atl::test::access {

/// Returns settings for 2 to 8 PEs, and seldom for one PE. Half of the jobs have several nodes.
inline settings simulated_settings(std::uint64_t seed) {
  const int pes = hash(seed) % 32 == 0 ? 1 : 2 + static_cast<int>(seed % 7);
  settings options = simulated_job_of(pes, seed);
  const std::uint64_t node_size = hash(seed + 1) % 4;
  if (node_size == 1 || node_size == 2) options.sim_node_size = node_size;
  if (hash(seed + 2) % 8 == 0) options.sim_model = sim_model::modern;
  return options;
}

/// Runs the random programs of `seeds`, one after another, in one job. Returns true if all results
/// are allowed. Prints the first program whose results are not allowed.
inline bool are_right(const settings& options, const std::vector<std::uint64_t>& seeds) {
  std::uint64_t current = 0;
  bool is_right = true;
  const auto run_all = [&]() -> task<> {
    for (const std::uint64_t seed : seeds) {
      current = seed;
      const log seen = co_await run_program(seed);
      const program plan = program_of(seed, pes());
      const std::string fault = fault_of(plan, seen);
      if (fault.empty()) continue;
      is_right = false;
      fmt::print(stderr, "not allowed: {}\n{}", fault, text_of(plan, seen));
      co_return;
    }
  };
  const int status = run_job(options, run_all);
  is_right &= ended_well(status);
  if (!is_right)
    fmt::print(stderr, "seed {} on {} PEs; ATOLL_SIM_SEED={} runs no other\n", current, options.pes,
               current);
  return is_right;
}

/// Runs the program of the seed under the simulated schedule of the same seed.
inline bool is_right_simulated(std::uint64_t seed) {
  return are_right(simulated_settings(seed), {seed});
}

}  // namespace atl::test::access
