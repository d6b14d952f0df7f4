#include <atoll/atoll.hpp>
#include <atoll/kernels/bfs.hpp>

#include <fmt/core.h>

atl::task<> program() {
  const auto edge_at = [](std::uint64_t i) {
    return atl::edge{atl::hash(2 * i) % 10'000, atl::hash(2 * i + 1) % 10'000};
  };
  const auto graph = co_await atl::make_graph(30'000, edge_at);
  const auto tree = co_await atl::bfs(graph, 0);
  co_await atl::verify(graph, tree);
  fmt::print("{} vertices in {} levels\n", tree.reached, tree.levels);
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
