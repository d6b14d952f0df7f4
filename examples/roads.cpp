// This program runs on every PE. The program ranks the junctions of a road network by PageRank, and
// finds the shortest roads that connect all junctions. In the end, the program writes, for each
// junction, the number of roads to the most important junction.

#include <atoll/atoll.hpp>
#include <atoll/graph.hpp>
#include <atoll/kernels/bfs.hpp>
#include <atoll/kernels/forest.hpp>
#include <atoll/kernels/pagerank.hpp>
#include <cstdio>

atl::task<> explore(const char* roads, const char* distances) {
  if (!roads || !distances) atl::fail(atl::errc::input, "usage: roads GRAPH DISTANCES.csv");
  const auto graph = co_await atl::all_read_graph(roads);
  const auto ranks = co_await atl::all_pagerank(graph, {.tolerance = 1e-9});
  const auto top = co_await ranks.all_top(1);
  const auto forest = co_await atl::all_minimum_spanning_forest(graph);
  const auto tree = co_await atl::all_bfs(graph, top[0].vertex);
  co_await atl::all_verify(graph, ranks);  // serial programs verify all three on one PE
  co_await atl::all_verify(graph, forest);
  co_await atl::all_verify(graph, tree);
  co_await tree.distance.all_write(distances);
  if (atl::my_pe() != 0) co_return;
  std::printf("junction %zu is the most important one\n", std::size_t{top[0].vertex});
  std::printf("%zu roads of length %s join the network in %zu parts\n",
              std::size_t{forest.edges.size()}, forest.weight.text().c_str(),
              std::size_t{forest.trees});
}

int main(int argc, char** argv) {
  return atl::run_spmd(argc, argv, [argv] { return explore(argv[1], argv[2]); });
}
