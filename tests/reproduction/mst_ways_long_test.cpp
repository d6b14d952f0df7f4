// Each algorithm of the papers must find the forest of Kruskal's algorithm, under many simulated
// schedules.

#include "reproduction/mst_ways_job.hpp"

namespace {

using namespace mst_job;
using reproduction::mst_ways;
using reproduction::post_processing;

constexpr std::uint64_t k_seeds_of_ways = 100;
constexpr std::uint64_t k_buffer_bytes_of_ways = 1024;

TEST(mst_schedules_in_all_ways, find_the_same_forest) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (std::uint64_t seed = 1; seed <= k_seeds_of_ways; ++seed) {
      mst_ways how;
      how.group = 2;
      how.post = seed % 2 == 0 ? post_processing::leader : post_processing::single;
      how.ring_fraction = 0.3;
      how.filter = seed % 3 == 0;
      how.filter_finish = static_cast<double>(seed / 2 % 2);
      test::run_on(test::simulated_job_of(pes, seed), [&]() -> task<> {
        for (const auto& graph : few_weighted()) {
          co_await compare_one_sided<std::uint32_t>(graph, how, k_buffer_bytes_of_ways, 3);
          co_await compare_two_sided(graph, 3, how);
        }
      });
      if (HasFailure()) FAIL() << pes << " PEs, seed " << seed;
    }
  }
}

}  // namespace
