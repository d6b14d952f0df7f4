#include <algorithm>
#include <numeric>
#include <vector>

#include "peeling.hpp"

namespace bench::core_numbers {

bool is_right(const csr& graph, const peeling& found) {
  const std::size_t vertices = graph.vertices();
  std::vector<std::uint32_t> degrees(vertices);
  for (vertex v = 0; v < vertices; ++v) degrees[v] = graph.degree(v);
  const std::uint32_t most = vertices == 0 ? 0 : *std::max_element(degrees.begin(), degrees.end());
  std::vector<std::size_t> begins(most + 2);
  for (const auto degree : degrees) ++begins[degree + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<vertex> order(vertices);
  std::vector<std::size_t> places(vertices);
  auto next = begins;
  for (vertex v = 0; v < vertices; ++v) order[places[v] = next[degrees[v]]++] = v;
  for (std::size_t i = 0; i < vertices; ++i) {
    const vertex v = order[i];
    if (found.core(v) != degrees[v]) return false;
    for (const vertex u : graph.neighbours(v)) {
      if (degrees[u] <= degrees[v]) continue;
      const std::size_t first = begins[degrees[u]--]++;
      const vertex other = order[first];
      std::swap(order[places[u]], order[first]);
      std::swap(places[u], places[other]);
    }
  }
  return true;
}

}  // namespace bench::core_numbers
