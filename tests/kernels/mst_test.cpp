// The forest is the one that Kruskal's algorithm finds, edge by edge, on any number of PEs.

#include "atoll/kernels/mst/two_sided.hpp"
#include "kernels/mst_job.hpp"

namespace {

using namespace mst_job;

constexpr std::uint64_t k_buffer_bytes = 4096;  // so few that lists go in waves

const std::vector<weighted_graph>& all_weighted() {
  static const auto graphs = [] {
    std::vector<weighted_graph> all;
    for (const auto& shape : all_shapes()) {
      all.push_back(weighted(shape, std::uint64_t{1} << 32));
      all.push_back(weighted(shape, 3));
    }
    all.push_back(weighted({"one vertex", 1, {}}, 3));
    all.push_back(weighted(bfs_graphs::grid(30, 40), 1));
    return all;
  }();
  return graphs;
}

/// How many iterations it took.
template <class Word>
task<std::uint64_t> compare_one_sided(const weighted_graph& of, mst::parameters how) {
  const auto memory = co_await mst::one_sided_memory::make(k_buffer_bytes);
  const auto find = [graph = &of, memory, how]() -> task<found_forest> {
    mst::one_sided_exchange others(memory, 8);
    co_return co_await all_find<Word>(*graph, others, how);
  };
  const auto found = co_await from_all_pes(find);
  compare(found, of);
  co_await memory.destroy();
  co_return found.outcome.iterations;
}

task<> compare_two_sided(const weighted_graph& of, int chunks) {
  const auto find = [graph = &of, chunks]() -> task<found_forest> {
    mst::two_sided_exchange others(chunks);
    mst::parameters how;
    how.filter = chunks == 1;
    co_return co_await all_find<std::uint32_t>(*graph, others, how);
  };
  compare(co_await from_all_pes(find), of);
}

class mst_forest : public test::on_pes {};

TEST_P(mst_forest, is_that_of_kruskal) {
  all_weighted();
  run([]() -> task<> {
    mst::parameters how;
    how.filter_finish = 0;
    for (const auto& graph : all_weighted()) co_await compare_one_sided<std::uint32_t>(graph, how);
  });
}

// Many edges more than once, on several PEs, and equally heavy ones beside them.
TEST_P(mst_forest, of_a_dense_graph_is_ended_early_by_one_pe) {
  bfs_graphs::graph shape{"dense", 50, {}};
  for (std::uint64_t i = 0; i < 6000; ++i)
    shape.edges.push_back({random_at(7, 2 * i) % 50, random_at(7, 2 * i + 1) % 50});
  for (const std::uint64_t different : {std::uint64_t{1} << 32, std::uint64_t{3}}) {
    const auto graph = weighted(shape, different);
    run([&]() -> task<> {
      EXPECT_EQ(co_await compare_one_sided<std::uint32_t>(graph, {}), 0u);
      EXPECT_EQ(co_await compare_one_sided<std::uint64_t>(graph, {}), 0u);
      mst::parameters how;
      how.filter_finish = 0;
      const auto iterations = co_await compare_one_sided<std::uint32_t>(graph, how);
      EXPECT_EQ(iterations > 0, pes() > 1);
      how.filter_finish = 1;
      how.post = mst::post_processing::leader;
      co_await compare_one_sided<std::uint32_t>(graph, how);
      co_await compare_two_sided(graph, 1);
    });
  }
}

TEST_P(mst_forest, is_the_same_with_leaders_and_by_what_was_found) {
  all_weighted();
  run([]() -> task<> {
    mst::parameters how;
    how.group = 2;
    how.post = mst::post_processing::leader;
    how.ring_fraction = 0.5;
    how.filter = false;
    how.local = mst::local_method::rounds;
    how.test = mst::progress_test::remaining;
    for (const auto& graph : all_weighted()) co_await compare_one_sided<std::uint64_t>(graph, how);
  });
}

TEST_P(mst_forest, is_the_same_by_messages_of_two_sides) {
  all_weighted();
  run([]() -> task<> {
    for (const auto& graph : all_weighted()) {
      for (const int chunks : {1, 5}) co_await compare_two_sided(graph, chunks);
    }
  });
}

ATOLL_RUN_ON_ALL(mst_forest);

}  // namespace
