#pragma once
// Replays simulated jobs in tests. ATOLL_SIM_SEED overrides the seeds of all simulated jobs. If a
// test fails in a simulated job, the command that repeats the simulated job is printed.

#include "atoll/settings.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace atl::test {

inline std::optional<std::uint64_t> seed_of_environment() {
  const char* const text = std::getenv("ATOLL_SIM_SEED");
  return text != nullptr ? std::optional(parse_count(text)) : std::nullopt;
}

class replay_printer : public testing::EmptyTestEventListener {
 public:
  /// Returns the object of this process that prints the command for a replay. The object also
  /// stores the seed of the current job, which is 0 if the job is not simulated.
  static replay_printer& instance() {
    static replay_printer* const once = [] {
      auto* made = new replay_printer;
      testing::UnitTest::GetInstance()->listeners().Append(made);
      return made;
    }();
    return *once;
  }

  std::uint64_t seed = 0;

 private:
  void OnTestStart(const testing::TestInfo&) override { failed_seed_ = 0; }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed() && failed_seed_ == 0) failed_seed_ = seed;
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (failed_seed_ != 0)
      fmt::print("to run it again: ATOLL_SIM_SEED={} {} --gtest_filter={}.{}\n", failed_seed_,
                 program(), test.test_suite_name(), test.name());
    seed = 0;
  }

  static std::string program() {
    std::string name;
    std::getline(std::ifstream("/proc/self/cmdline"), name, '\0');
    return name;
  }

  std::uint64_t failed_seed_ = 0;
};

/// Returns the seed for the next job: the seed that the environment sets, or else `seed`. If `seed`
/// is 0, the job is not simulated, and the result is 0.
inline std::uint64_t simulated_with(std::uint64_t seed) {
  const std::uint64_t used = seed == 0 ? 0 : seed_of_environment().value_or(seed);
  replay_printer::instance().seed = used;
  return used;
}

/// Returns the seeds from 1 to `most`. If the environment variable ATOLL_SIM_SEED is set, returns
/// only its value.
inline std::vector<std::uint64_t> seeds(std::uint64_t most) {
  if (const auto only = seed_of_environment()) return {*only};
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= most; ++seed) all.push_back(seed);
  return all;
}

}  // namespace atl::test
