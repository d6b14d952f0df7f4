// Each algorithm of the papers must find the forest of Kruskal's algorithm, on any number of PEs.

#include "reproduction/mst_ways_job.hpp"

namespace {

using namespace mst_job;
using reproduction::local_method;
using reproduction::mst_ways;
using reproduction::post_processing;
using reproduction::progress_test;

class mst_in_all_ways : public test::on_pes {};

TEST_P(mst_in_all_ways, is_the_same_with_leaders_and_by_what_is_missing) {
  all_weighted();
  run([]() -> task<> {
    mst_ways how;
    how.group = 2;
    how.post = post_processing::leader;
    how.ring_fraction = 0.5;
    how.filter = false;
    how.local = local_method::rounds;
    how.test = progress_test::remaining;
    for (const auto& graph : all_weighted()) co_await compare_one_sided<std::uint64_t>(graph, how);
  });
}

TEST_P(mst_in_all_ways, is_not_ended_early_where_there_are_leaders) {
  const auto graph = weighted(dense_shape(), 3);
  run([&]() -> task<> {
    EXPECT_EQ(co_await compare_one_sided<std::uint32_t>(graph, mst_ways()), 0u);
    mst_ways how;
    how.post = post_processing::leader;
    const auto iterations = co_await compare_one_sided<std::uint32_t>(graph, how);
    EXPECT_EQ(iterations > 0, pes() > 1);
    co_await compare_two_sided(graph, 1, {});
  });
}

TEST_P(mst_in_all_ways, is_the_same_by_messages_of_two_sides) {
  all_weighted();
  run([]() -> task<> {
    for (const auto& graph : all_weighted()) {
      for (const int chunks : {1, 5}) {
        mst_ways how;
        how.filter = chunks == 1;
        co_await compare_two_sided(graph, chunks, how);
      }
    }
  });
}

ATOLL_RUN_ON(mst_in_all_ways, 1, 2, 3, 7);

}  // namespace
