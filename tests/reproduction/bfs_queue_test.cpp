// Tests breadth-first searches that keep their frontier in a global queue. For every form of the
// queue, the search must have the result of a sequential search.

#include "reproduction/bfs/queue.hpp"

#include "kernels/bfs_job.hpp"

namespace {

using namespace bfs_job;
using reproduction::bfs::frontier_queue;
using reproduction::bfs::queue_form;

constexpr queue_form k_queue_forms[] = {queue_form::delegates, queue_form::simple,
                                        queue_form::combining, queue_form::relaxed};

/// Returns graphs with few levels, because each level needs several collective calls.
const std::vector<bfs_graphs::graph>& small_graphs() {
  static const std::vector<bfs_graphs::graph> graphs = {
      bfs_graphs::kronecker(test::sanitized ? 7 : 9),
      bfs_graphs::star(300, 123),
      bfs_graphs::path(40),
      bfs_graphs::grid(9, 12),
      bfs_graphs::two_components(),
      bfs_graphs::loops_and_duplicates(),
      bfs_graphs::lonely_vertex()};
  return graphs;
}

template <class Id>
task<> compare_through_queue(const bfs_graphs::graph& graph, orientation arcs_are,
                             queue_form form) {
  const auto made = co_await build<Id>(graph, arcs_are);
  const auto queue = co_await frontier_queue<Id>::make(form);
  for (const std::uint64_t root : some_roots(graph)) {
    co_await compare(made.on, trial{graph, arcs_are, root}, queue);
  }
  co_await queue.destroy();
  co_await made.destroy();
}

class bfs_queue : public test::on_pes {};

TEST_P(bfs_queue, finds_what_a_serial_search_finds) {
  small_graphs();
  run([]() -> task<> {
    for (const auto& graph : small_graphs()) {
      for (const auto form : k_queue_forms)
        co_await compare_through_queue<std::uint32_t>(graph, orientation::undirected, form);
    }
  });
}

TEST_P(bfs_queue, follows_arcs_one_way_and_takes_ids_of_64_bits) {
  small_graphs();
  run([]() -> task<> {
    for (const auto form : k_queue_forms) {
      co_await compare_through_queue<std::uint64_t>(small_graphs()[0], orientation::out, form);
      co_await compare_through_queue<std::uint64_t>(small_graphs()[2], orientation::in, form);
    }
  });
}

/// Checks the number of queue operations in a search from a vertex that has arcs.
task<> count_operations(const bfs_graphs::graph& graph, queue_form form) {
  const auto made = co_await build<std::uint32_t>(graph, orientation::undirected);
  const auto queue = co_await frontier_queue<std::uint32_t>::make(form);
  const auto found = co_await search(made.on, graph.edges.front().from, queue);
  const auto used = co_await queue.statistics();
  const std::uint64_t pushed_and_popped =
      form == queue_form::delegates ? 0 : 2 * found.reached_vertices;
  EXPECT_EQ(used.operations, pushed_and_popped) << static_cast<int>(form);
  if (form == queue_form::simple) {
    EXPECT_EQ(used.commits, used.operations);
  } else if (form != queue_form::delegates) {
    EXPECT_LT(2 * used.commits, used.operations) << static_cast<int>(form);
  }
  co_await queue.destroy();
  co_await made.destroy();
}

TEST_P(bfs_queue, holds_every_vertex_that_is_found) {
  const auto graph = bfs_graphs::kronecker(9);
  run([&]() -> task<> {
    for (const auto form : k_queue_forms) co_await count_operations(graph, form);
  });
}

ATOLL_RUN_ON(bfs_queue, 1, 2, 3, 7);

}  // namespace
