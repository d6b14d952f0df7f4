// The forest is the one that Kruskal's algorithm finds, whatever the schedule.

#include "atoll/kernels/mst/two_sided.hpp"
#include "kernels/mst_job.hpp"

namespace {

using namespace mst_job;

constexpr std::uint64_t k_seeds = 100;
constexpr std::uint64_t k_short_buffer_bytes = 1024;

const std::vector<weighted_graph>& few_weighted() {
  static const std::vector<weighted_graph> graphs = {
      weighted(uniform(8, 4), 1000), weighted(shuffled(bfs_graphs::grid(12, 9)), 3),
      weighted(bfs_graphs::kronecker(8), std::uint64_t{1} << 32), weighted(dust(), 7)};
  return graphs;
}

task<> compare_both(const weighted_graph& of, const mst::parameters& how) {
  const auto memory = co_await mst::one_sided_memory::make(k_short_buffer_bytes);
  const auto by_memory = [graph = &of, memory, how]() -> task<found_forest> {
    mst::one_sided_exchange others(memory, 3);
    co_return co_await all_find<std::uint32_t>(*graph, others, how);
  };
  compare(co_await from_all_pes(by_memory), of);
  co_await memory.destroy();
  const auto by_messages = [graph = &of, how]() -> task<found_forest> {
    mst::two_sided_exchange others(3);
    co_return co_await all_find<std::uint32_t>(*graph, others, how);
  };
  compare(co_await from_all_pes(by_messages), of);
}

TEST(mst_schedules, find_the_same_forest) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
      mst::parameters how;
      how.group = 2;
      how.post = seed % 2 == 0 ? mst::post_processing::leader : mst::post_processing::single;
      how.ring_fraction = 0.3;
      how.filter = seed % 3 == 0;
      how.filter_finish = static_cast<double>(seed / 2 % 2);
      test::run_on(test::simulated_job_of(pes, seed), [&]() -> task<> {
        for (const auto& graph : few_weighted()) co_await compare_both(graph, how);
      });
      if (HasFailure()) FAIL() << pes << " PEs, seed " << seed;
    }
  }
}

}  // namespace
