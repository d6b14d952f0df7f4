// Reads the graph of a file, finds its connected components, and writes the label of each vertex.

#include <atoll/atoll.hpp>
#include <atoll/graph.hpp>
#include <atoll/kernels/components.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  return atl::run(argc, argv, [argv]() -> atl::task<> {
    if (!argv[1] || !argv[2]) atl::fail(atl::errc::input, "usage: labels GRAPH LABELS.csv");
    const auto graph = co_await atl::read_graph(argv[1]);
    const auto parts = co_await atl::connected_components(graph);
    std::printf("%zu components\n", std::size_t{parts.count});
    co_await parts.write(argv[2]);
  });
}
