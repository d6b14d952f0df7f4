#include <atoll/atoll.hpp>
#include <atoll/graph/make_graph.hpp>
#include <atoll/kernels/bfs/search_from.hpp>

#include <fmt/core.h>

atl::task<> program() {
  const auto graph = co_await atl::make_kronecker_graph({.scale = 16});
  const auto found = co_await atl::kernels::bfs::search_from(graph, 0);
  fmt::print("{} vertices in {} levels\n", found.reached_vertices, found.levels);
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
