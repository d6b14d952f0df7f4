// Counts the triangles of a graph. A later neighbour of a vertex is a neighbour with a larger
// number. For each pair of later neighbours of its vertices, a PE sends a message to the owner of
// the smaller vertex of the pair. The owner counts a triangle if the pair is an edge.

#include <algorithm>
#include <atoll/atoll.hpp>
#include <atoll/graph.hpp>
#include <cstdio>
#include <vector>

/// The data of a PE: the sorted later neighbours of each vertex that it owns, and its triangles.
struct share {
  atl::vertex_id first = 0;
  std::vector<std::vector<atl::vertex_id>> later;
  std::uint64_t triangles = 0;
};

void list_later_neighbours(atl::global_graph graph, share& mine) {
  mine.first = graph.first_vertex();
  for (auto v = mine.first; v < mine.first + graph.local_vertices(); ++v) {
    auto& later = mine.later.emplace_back();
    graph.for_each_neighbour(v, [&](atl::vertex_id to) {
      if (to > v) later.push_back(to);
    });
    std::ranges::sort(later);
  }
}

/// For each pair of later neighbours of a vertex of this PE, asks the owner of the smaller vertex
/// of the pair whether the pair is an edge.
atl::task<> ask_for_each_pair(atl::global_graph graph, atl::per_pe<share> shares) {
  for (const auto& later : shares->later) {
    for (std::size_t i = 0; i < later.size(); ++i) {
      for (std::size_t j = i + 1; j < later.size(); ++j) {
        atl::async_call(graph.owner_of(later[i]), [shares, v = later[i], w = later[j]] {
          const auto& of_v = shares->later[v - shares->first];
          shares->triangles += std::ranges::binary_search(of_v, w) ? 1 : 0;
        });
      }
      co_await atl::room();  // for messages
    }
  }
}

atl::task<> count(const char* path) {
  const auto graph = co_await atl::read_graph(path);
  const auto shares = co_await atl::per_pe<share>::make();
  co_await atl::on_all_pes([=] { list_later_neighbours(graph, shares.local()); });
  co_await atl::on_all_pes([=] { return ask_for_each_pair(graph, shares); });
  std::uint64_t triangles = 0;
  for (int pe = 0; pe < atl::pes(); ++pe)
    triangles += co_await atl::call(pe, [=] { return shares->triangles; });
  std::printf("%zu triangles\n", std::size_t{triangles});
}

int main(int argc, char** argv) {
  return atl::run(argc, argv, [argv] { return count(argv[1] ? argv[1] : "graph.el"); });
}
