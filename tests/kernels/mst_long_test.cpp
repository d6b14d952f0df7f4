// Compares minimum spanning forests with those of Kruskal's algorithm, under many simulated
// schedules.

#include "kernels/mst_job.hpp"

namespace {

using namespace mst_job;

constexpr std::uint64_t k_seeds = 100;
constexpr std::uint64_t k_short_buffer_bytes = 1024;

TEST(mst_schedules, find_the_same_forest) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
      mst::parameters how;
      how.ring_fraction = 0.3;
      how.filter_finish = static_cast<double>(seed / 2 % 2);
      test::run_on(test::simulated_job_of(pes, seed), [&]() -> task<> {
        for (const auto& graph : few_weighted())
          co_await compare_one_sided<std::uint32_t>(graph, how, k_short_buffer_bytes, 3);
      });
      if (HasFailure()) FAIL() << pes << " PEs, seed " << seed;
    }
  }
}

}  // namespace
