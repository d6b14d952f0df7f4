#include "tests/app/shell.hpp"

namespace atl::reproduction {
namespace {

using namespace app;

TEST(concurrency, sweeps_over_concurrent_tasks) {
  const std::string sweep = "$papers concurrency --tree T1 --delay 5us --trials 1 --pes 2 ";
  const auto result = json_of(sweep + "--workers 256,2048");
  EXPECT_EQ(result["verified"], true);
  for (const char* metric : {"rate_256", "latency_mean_256", "latency_99_percent_256", "rate_2048",
                             "latency_mean_2048", "rate", "rise", "decline"}) {
    EXPECT_GT(result["metrics"][metric]["median"], 0) << metric;
  }
  EXPECT_GE(result["metrics"]["latency_mean_256"]["median"], 10'000);
  EXPECT_LE(result["metrics"]["idle_fraction_256"]["median"], 1);
  expect("$papers concurrency --tree T9", 2, "--tree: there is no tree \"T9\"");
  expect("$papers concurrency --workers 0", 2, "--workers: 0 is out of range");
}

}  // namespace
}  // namespace atl::reproduction
