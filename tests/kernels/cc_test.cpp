// Compares components with a plain search on any number of PEs. Wrong labels must be refused.

#include "kernels/cc_job.hpp"

#include <map>

namespace {

using namespace cc_job;

constexpr orientation k_ways[] = {orientation::undirected, orientation::out, orientation::in};

class cc_labels : public test::on_pes {};

TEST_P(cc_labels, are_those_of_a_plain_search) {
  all_shapes();
  run([]() -> task<> {
    for (const auto& graph : all_shapes()) {
      for (const auto arcs_are : k_ways)
        co_await compare_labels<std::uint32_t>(graph, arcs_are, hub_rows::split);
    }
  });
}

TEST_P(cc_labels, are_the_same_with_whole_rows_of_hubs) {
  all_shapes();
  run([]() -> task<> {
    for (const auto& graph : all_shapes())
      co_await compare_labels<std::uint32_t>(graph, orientation::undirected, hub_rows::whole);
  });
}

TEST_P(cc_labels, are_the_same_with_ids_of_64_bits) {
  all_shapes();
  run([]() -> task<> {
    for (const auto& graph : all_shapes())
      co_await compare_labels<std::uint64_t>(graph, orientation::undirected, hub_rows::split);
  });
}

TEST_P(cc_labels, need_messages_for_few_of_the_edges_and_none_on_one_pe) {
  const auto graph = bfs_graphs::kronecker(12);
  run([&]() -> task<> {
    const auto made =
        co_await prepare<std::uint32_t>(graph, orientation::undirected, hub_rows::split);
    const auto sent = [on = made.on]() -> task<std::uint64_t> {
      co_await cc::all_run(on, false);
      const std::uint64_t links = on.forests->sent_links;
      co_return co_await all_reduce(links, std::plus<>());
    };
    const auto links = co_await from_all_pes(sent);
    const std::uint64_t most = pes() == 1 ? 0 : graph.edges.size() / 8;
    EXPECT_LE(links, most);
    co_await made.destroy();
  });
}

ATOLL_RUN_ON_ALL(cc_labels);

class cc_sizes : public test::on_pes {};

TEST_P(cc_sizes, tell_how_many_components_there_are_and_the_largest) {
  // The graph has 50 vertices and two rings. The rings have the vertices 0 to 19 and 25 to 44.
  const auto rings = bfs_graphs::two_components();
  run([&]() -> task<> {
    const auto graph = co_await build_graph<std::uint32_t>(rings, orientation::undirected);
    const auto found = co_await components_of(graph, 3);
    EXPECT_EQ(found.components, 12u);
    EXPECT_EQ(found.single_vertices, 10u);
    EXPECT_EQ(found.by_power, (std::vector<std::uint64_t>{10, 0, 0, 0, 2}));
    EXPECT_EQ(found.largest.size(), 3u);
    std::vector<std::uint64_t> shown;
    for (const auto& one : found.largest) shown.insert(shown.end(), {one.smallest, one.vertices});
    EXPECT_EQ(shown, (std::vector<std::uint64_t>{0, 20, 25, 20, 20, 1}));
    co_await graph.destroy();
  });
}

TEST_P(cc_sizes, agree_with_a_plain_search) {
  const auto graph = uniform(11, 1);
  std::map<std::uint64_t, std::uint64_t> vertices;
  for (const auto label : labels_by_search(graph)) ++vertices[label];
  std::vector<cc::component> expected;
  for (const auto& [smallest, count] : vertices) expected.push_back({smallest, count});
  std::ranges::sort(expected, std::less<>());
  run([&]() -> task<> {
    const auto made = co_await build_graph<std::uint32_t>(graph, orientation::undirected);
    const auto found = co_await components_of(made, 20);
    EXPECT_EQ(found.components, expected.size());
    EXPECT_EQ(found.largest.size(), 20u);
    for (std::size_t i = 0; i < found.largest.size(); ++i) {
      EXPECT_EQ(found.largest[i].smallest, expected[i].smallest) << i;
      EXPECT_EQ(found.largest[i].vertices, expected[i].vertices) << i;
    }
    const auto none = co_await components_of(made, 0);
    EXPECT_EQ(none.largest.size(), 0u);
    co_await made.destroy();
  });
}

ATOLL_RUN_ON_ALL(cc_sizes);

class cc_validation : public test::on_pes {
 protected:
  /// Finds the components of two rings, changes labels to wrong ones, and returns the errors that
  /// the validation finds.
  cc::wrong_labels after(std::uint64_t first, std::uint64_t last, std::uint32_t label) const {
    static const auto rings = bfs_graphs::two_components();
    cc::wrong_labels found;
    run([&]() -> task<> {
      const auto made =
          co_await prepare<std::uint32_t>(rings, orientation::undirected, hub_rows::split);
      const auto before = co_await run_once(made.on);
      EXPECT_EQ(before.found.total(), 0u);
      const auto verify = [on = made.on, first, last, label]() -> task<cc::wrong_labels> {
        auto& mine = on.forests.local();
        for (auto v = static_cast<std::uint32_t>(first); v <= last; ++v)
          if (mine.is_here(v)) mine.label_of(v) = label;
        co_return co_await cc::all_compare(mine, on.expected.local());
      };
      found = co_await from_all_pes(verify);
      co_await made.destroy();
    });
    return found;
  }
};

TEST_P(cc_validation, finds_two_components_under_one_label) {
  const auto found = after(25, 44, 0);
  EXPECT_EQ(found.joined, 20u);
  EXPECT_EQ(found.apart, 0u);
}

TEST_P(cc_validation, finds_a_component_in_two_parts) {
  const auto found = after(40, 44, 40);
  EXPECT_EQ(found.joined, 0u);
  EXPECT_EQ(found.apart, 5u);
}

TEST_P(cc_validation, finds_a_label_that_is_not_of_the_component) {
  EXPECT_EQ(after(30, 30, 22).joined, 1u);
  EXPECT_EQ(after(7, 7, 49).apart, 1u);
  EXPECT_EQ(after(7, 7, 1'000'000).apart, 1u);
}

TEST_P(cc_validation, finds_a_label_that_is_not_the_smallest_vertex) {
  EXPECT_EQ(after(0, 19, 1).apart, 20u);
}

ATOLL_RUN_ON(cc_validation, 1, 2, 3, 8);

}  // namespace
