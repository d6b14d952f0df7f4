#include <atoll/atoll.hpp>
#include <atoll/kernels/bfs.hpp>
#include <atoll/kernels/forest.hpp>
#include <atoll/kernels/pagerank.hpp>

#include <fmt/core.h>

atl::task<> program() {
  const auto edge_at = [](std::uint64_t i) {
    const auto weight = static_cast<std::int64_t>(atl::hash(i) % 100);
    return atl::weighted_edge{atl::hash(2 * i) % 10'000, atl::hash(2 * i + 1) % 10'000, weight};
  };
  const auto graph = co_await atl::make_graph(30'000, edge_at);
  const auto tree = co_await atl::bfs(graph, 0);
  co_await atl::verify(graph, tree);
  const auto ranks = co_await atl::pagerank(graph);
  co_await atl::verify(graph, ranks);
  const auto forest = co_await atl::minimum_spanning_forest(graph);
  co_await atl::verify(graph, forest);
  fmt::print("{} vertices in {} levels\n", tree.reached, tree.levels);
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
