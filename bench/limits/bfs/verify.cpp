#include "verify.hpp"

#include <algorithm>
#include <vector>

namespace bench::bfs {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::vector<std::uint32_t> serial_levels(const csr& graph, vertex root) {
  std::vector<std::uint32_t> levels(graph.vertices(), none);
  std::vector<vertex> queue = {root};
  levels[root] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const vertex v : graph.neighbours(queue[i])) {
      if (levels[v] != none) continue;
      levels[v] = levels[queue[i]] + 1;
      queue.push_back(v);
    }
  }
  return levels;
}

}  // namespace

bool is_right(const csr& graph, std::span<const std::int32_t> parents, vertex root) {
  const auto levels = serial_levels(graph, root);
  if (parents[root] != static_cast<std::int32_t>(root)) return false;
  for (vertex v = 0; v < graph.vertices(); ++v) {
    const bool reached = parents[v] >= 0;
    if (reached != (levels[v] != none)) return false;
    if (!reached || v == root) continue;
    const auto around = graph.neighbours(v);
    const auto parent = static_cast<vertex>(parents[v]);
    if (std::find(around.begin(), around.end(), parent) == around.end()) return false;
    if (levels[parent] + 1 != levels[v]) return false;
  }
  return true;
}

}  // namespace bench::bfs
