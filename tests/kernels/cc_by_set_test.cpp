// Components by traversals and a set are what a plain search finds, in every form of the set.

#include "kernels/cc_job.hpp"

#include <functional>

namespace {

using namespace cc_job;
using cc::set_form;

constexpr set_form k_set_forms[] = {set_form::delegates, set_form::simple, set_form::combining,
                                    set_form::tuned};

class cc_by_set : public test::on_pes {
 protected:
  /// What a run of one form tells of its set.
  void count(const bfs_graphs::graph& graph, set_form form,
             const std::function<void(const cc::set_counts&)>& check) {
    run([&]() -> task<> {
      const auto made =
          co_await prepare<std::uint32_t>(graph, orientation::undirected, hub_rows::split, form);
      const auto outcome = co_await run_once(made.on);
      check(outcome.set);
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
        co_await compare_labels<std::uint32_t>(graph, orientation::undirected, hub_rows::split,
                                               form);
    }
  });
}

TEST_P(cc_by_set, labels_are_the_same_with_whole_rows_and_ids_of_64_bits) {
  all_shapes();
  run([]() -> task<> {
    for (const auto form : k_set_forms)
      co_await compare_labels<std::uint64_t>(all_shapes()[1], orientation::undirected,
                                             hub_rows::whole, form);
  });
}

TEST_P(cc_by_set, begins_no_traversal_at_vertices_without_arcs) {
  const auto graph = dust();  // 800 of 3,000 vertices have arcs
  count(graph, set_form::combining,
        [](const cc::set_counts& found) { EXPECT_LE(found.traversals, 800u); });
}

TEST_P(cc_by_set, traversals_meet_and_every_pair_is_kept_once) {
  const auto graph = shuffled(bfs_graphs::path(4000));
  for (const auto form : k_set_forms) {
    count(graph, form, [](const cc::set_counts& found) {
      EXPECT_GE(found.traversals, 64u);
      EXPECT_GE(found.pairs, found.traversals - 1);  // they join all of a path
      EXPECT_GE(found.inserts_tried, found.pairs);
      EXPECT_LE(found.inserts_sent, found.inserts_tried);
    });
  }
}

TEST_P(cc_by_set, goes_on_where_few_workers_have_many_meetings_to_insert) {
  options.workers = 1;  // 64 of them wait at most
  const auto graph = bfs_graphs::kronecker(10);
  count(graph, set_form::combining,
        [](const cc::set_counts& found) { EXPECT_GT(found.inserts_tried, 1000u); });
}

TEST_P(cc_by_set, sends_equal_inserts_of_a_batch_once) {
  if (size() == 1) return;
  const auto graph = bfs_graphs::kronecker(10);
  count(graph, set_form::combining, [](const cc::set_counts& found) {
    EXPECT_GT(found.inserts_sent, 0u);
    const auto all = static_cast<std::uint64_t>(pes());
    const std::uint64_t of_other_pes = found.inserts_tried * (all - 1) / all;
    EXPECT_LT(found.inserts_sent, of_other_pes / 10 * 9);
  });
  count(graph, set_form::tuned, [](const cc::set_counts& found) {
    EXPECT_LE(found.inserts_sent, found.pairs * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(cc_by_set, needs_no_set_where_no_vertex_has_arcs) {
  const auto graph = bfs_graphs::star(1, 0);
  count(graph, set_form::simple, [](const cc::set_counts& found) {
    EXPECT_EQ(found.traversals, 0u);
    EXPECT_EQ(found.inserts_tried, 0u);
    EXPECT_EQ(found.pairs, 0u);
  });
}

ATOLL_RUN_ON_ALL(cc_by_set);

}  // namespace
