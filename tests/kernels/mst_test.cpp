// Compares minimum spanning forests edge by edge with those of Kruskal's algorithm, on any number
// of PEs.

#include "kernels/mst_job.hpp"

namespace {

using namespace mst_job;

/// Returns parameters with which all PEs work until the end. With other parameters, one PE could
/// finish a small graph.
constexpr mst::parameters by_all_pes() {
  mst::parameters how;
  how.filter_finish = 0;
  return how;
}

class mst_forest : public test::on_pes {};

TEST_P(mst_forest, is_that_of_kruskal) {
  all_weighted();
  run([]() -> task<> {
    for (const auto& graph : all_weighted())
      co_await compare_one_sided<std::uint32_t>(graph, by_all_pes());
  });
}

TEST_P(mst_forest, is_the_same_with_words_of_64_bits) {
  few_weighted();
  run([]() -> task<> {
    for (const auto& graph : few_weighted())
      co_await compare_one_sided<std::uint64_t>(graph, by_all_pes());
  });
}

TEST_P(mst_forest, of_a_dense_graph_is_ended_early_by_one_pe) {
  for (const std::uint64_t different : {std::uint64_t{1} << 32, std::uint64_t{3}}) {
    const auto graph = weighted(dense_shape(), different);
    run([&]() -> task<> {
      const mst::parameters usual;
      EXPECT_EQ(co_await compare_one_sided<std::uint32_t>(graph, usual), 0u);
      EXPECT_EQ(co_await compare_one_sided<std::uint64_t>(graph, usual), 0u);
      const auto iterations = co_await compare_one_sided<std::uint32_t>(graph, by_all_pes());
      EXPECT_EQ(iterations > 0, pes() > 1);
    });
  }
}

ATOLL_RUN_ON_ALL(mst_forest);

}  // namespace
