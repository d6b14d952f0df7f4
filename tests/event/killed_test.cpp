// A simulated PE is killed at a random time of a random program. The job must end, even if other
// PEs wait for the killed PE.

#include "event/model/checking.hpp"
#include "support/captured_stderr.hpp"

#include <gmock/gmock.h>

using namespace atl;

namespace {

/// The settings of a random program, and the time that the program takes if no PE is killed.
struct undisturbed {
  settings options;
  transport::nanoseconds length = 0;
};

undisturbed run_undisturbed(std::uint64_t seed, int pes) {
  undisturbed found{test::program_settings(seed, pes)};
  test::running_program program(test::program_generator(seed, pes).make());
  const auto run = [&]() -> task<> {
    co_await test::run_and_check(&program);
    found.length = this_pe().transport->now();
  };
  EXPECT_EQ(run_job(found.options, run), 0);
  return found;
}

/// Runs the program with a PE killed at a random time, and returns the text that was printed.
std::string run_killed(const settings& options, std::uint64_t seed) {
  const test::captured_stderr said;
  test::running_program program(
      test::program_generator(seed, static_cast<int>(options.pes)).make());
  const int status = run_job(options, [&]() -> task<> { return test::run_and_check(&program); });
  EXPECT_EQ(status, 128 + SIGKILL);
  return said.text();
}

TEST(killed_pe, ends_what_waits_for_it) {
  for (const std::uint64_t seed : test::seeds(test::sanitized ? 20 : 300)) {
    const int pes = 2 + static_cast<int>(seed % 7);
    auto [options, length] = run_undisturbed(seed, pes);
    random_stream random(seed);
    const std::uint64_t victim = random.below(options.pes);
    const std::uint64_t moment = random.below(static_cast<std::uint64_t>(length));
    options.sim_kill = fmt::format("{}@{}ns", victim, moment);
    EXPECT_THAT(run_killed(options, seed),
                testing::HasSubstr(fmt::format("PE {} was killed by signal 9 (Killed)", victim)))
        << "seed " << seed << ", " << options.sim_kill;
  }
}

}  // namespace
