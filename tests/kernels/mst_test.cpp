// The forest is the one that Kruskal's algorithm finds, edge by edge, on any number of PEs.

#include "atoll/kernels/mst_two_sided.hpp"
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

template <class Word>
task<> compare_one_sided(const weighted_graph& of, mst::parameters how) {
  const auto memory = co_await mst::one_sided_memory::make(k_buffer_bytes);
  const auto find = [&of, memory, how]() -> task<found_forest> {
    mst::one_sided_exchange others(memory, 8);
    co_return co_await all_find<Word>(of, others, how);
  };
  compare(co_await from_all_pes(find), of);
  co_await memory.destroy();
}

task<> compare_two_sided(const weighted_graph& of, int chunks) {
  const auto find = [&of, chunks]() -> task<found_forest> {
    mst::two_sided_exchange others(chunks);
    mst::parameters how;
    how.filter = chunks == 1;
    co_return co_await all_find<std::uint32_t>(of, others, how);
  };
  compare(co_await from_all_pes(find), of);
}

class mst_forest : public test::on_pes {};

TEST_P(mst_forest, is_that_of_kruskal) {
  all_weighted();
  run([]() -> task<> {
    for (const auto& graph : all_weighted()) co_await compare_one_sided<std::uint32_t>(graph, {});
  });
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
