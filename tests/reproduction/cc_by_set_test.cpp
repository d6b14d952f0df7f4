// Tests an algorithm for components that starts many graph traversals. If two traversals meet, the
// algorithm inserts the pair into a global set. For every form of the set, the algorithm must find
// the components that a sequential search finds.

#include "reproduction/cc/run.hpp"

#include "kernels/cc_job.hpp"

#include <functional>

namespace {

using namespace cc_job;
using reproduction::cc::outcome_by_set;
using reproduction::cc::set_counts;
using reproduction::cc::set_form;
using reproduction::cc::set_workspace;

constexpr set_form k_set_forms[] = {set_form::delegates, set_form::simple, set_form::combining,
                                    set_form::tuned};

template <class Id>
task<outcome_by_set> run_by_set(cc::workspace<Id> on, set_workspace<Id> set) {
  const auto run = [on, set] { return reproduction::cc::all_run_by_set(on, set, true); };
  co_return co_await from_all_pes(run);
}

template <class Id>
task<> compare_labels_by_set(const bfs_graphs::graph& graph, hub_rows hubs, set_form form) {
  const auto set = co_await set_workspace<Id>::make(form);
  const auto run = [set](cc::workspace<Id> on) -> task<cc::run_outcome> {
    const outcome_by_set outcome = co_await run_by_set(on, set);
    co_return outcome.run;
  };
  co_await compare_labels_by<Id>(graph, orientation::undirected, hubs, run);
  co_await set.destroy();
}

class cc_by_set : public test::on_pes {
 protected:
  /// Runs one form of the set, and passes the numbers of its operations to `check`.
  void count(const bfs_graphs::graph& graph, set_form form,
             const std::function<void(const set_counts&)>& check) {
    run([&]() -> task<> {
      const auto made =
          co_await prepare<std::uint32_t>(graph, orientation::undirected, hub_rows::split);
      const auto set = co_await set_workspace<std::uint32_t>::make(form);
      const outcome_by_set outcome = co_await run_by_set(made.on, set);
      check(outcome.set);
      co_await set.destroy();
      co_await made.destroy();
    });
  }
};

TEST_P(cc_by_set, labels_are_those_of_a_plain_search) {
  all_shapes();
  run([]() -> task<> {
    for (const auto& graph : all_shapes()) {
      if (test::sanitized && graph.vertices > 800) continue;
      for (const auto form : k_set_forms)
        co_await compare_labels_by_set<std::uint32_t>(graph, hub_rows::split, form);
    }
  });
}

TEST_P(cc_by_set, labels_are_the_same_with_whole_rows_and_ids_of_64_bits) {
  all_shapes();
  run([]() -> task<> {
    for (const auto form : k_set_forms)
      co_await compare_labels_by_set<std::uint64_t>(all_shapes()[1], hub_rows::whole, form);
  });
}

TEST_P(cc_by_set, begins_no_traversal_at_vertices_without_arcs) {
  const auto graph = dust();  // Only 800 of the 3,000 vertices have arcs.
  count(graph, set_form::combining,
        [](const set_counts& found) { EXPECT_LE(found.traversals, 800u); });
}

TEST_P(cc_by_set, traversals_meet_and_every_pair_is_kept_once) {
  const auto graph = shuffled(bfs_graphs::path(4000));
  for (const auto form : k_set_forms) {
    count(graph, form, [](const set_counts& found) {
      EXPECT_GE(found.traversals, 64u);
      // The pairs must connect all traversals, because a path is a single component.
      EXPECT_GE(found.pairs, found.traversals - 1);
      EXPECT_GE(found.inserts_tried, found.pairs);
      EXPECT_LE(found.inserts_sent, found.inserts_tried);
    });
  }
}

TEST_P(cc_by_set, goes_on_where_few_workers_have_many_meetings_to_insert) {
  options.workers = 1;  // With one worker, at most 64 inserts are in flight.
  const auto graph = bfs_graphs::kronecker(10);
  count(graph, set_form::combining,
        [](const set_counts& found) { EXPECT_GT(found.inserts_tried, 1000u); });
}

TEST_P(cc_by_set, sends_equal_inserts_of_a_batch_once) {
  if (size() == 1) return;
  const auto graph = bfs_graphs::kronecker(10);
  count(graph, set_form::combining, [](const set_counts& found) {
    EXPECT_GT(found.inserts_sent, 0u);
    const auto all = static_cast<std::uint64_t>(pes());
    const std::uint64_t of_other_pes = found.inserts_tried * (all - 1) / all;
    EXPECT_LT(found.inserts_sent, of_other_pes / 10 * 9);
  });
  count(graph, set_form::tuned, [](const set_counts& found) {
    EXPECT_LE(found.inserts_sent, found.pairs * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(cc_by_set, needs_no_set_where_no_vertex_has_arcs) {
  const auto graph = bfs_graphs::star(1, 0);
  count(graph, set_form::simple, [](const set_counts& found) {
    EXPECT_EQ(found.traversals, 0u);
    EXPECT_EQ(found.inserts_tried, 0u);
    EXPECT_EQ(found.pairs, 0u);
  });
}

ATOLL_RUN_ON(cc_by_set, 1, 2, 3, 7);

}  // namespace
