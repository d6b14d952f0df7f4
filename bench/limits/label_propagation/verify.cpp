#include <algorithm>
#include <numeric>
#include <vector>

#include "propagation.hpp"

namespace bench::label_propagation {

bool is_right(const csr& graph, std::uint64_t iterations, const propagation& found) {
  std::vector<vertex> labels(graph.vertices()), of_row;
  std::iota(labels.begin(), labels.end(), vertex{0});
  for (std::uint64_t i = 0; i < iterations; ++i) {
    auto next = labels;
    for (vertex v = 0; v < graph.vertices(); ++v) {
      of_row.clear();
      for (const vertex u : graph.neighbours(v)) of_row.push_back(labels[u]);
      std::sort(of_row.begin(), of_row.end());
      std::size_t most = 0, times = 0;
      for (std::size_t k = 0; k < of_row.size(); ++k) {
        times = k > 0 && of_row[k] == of_row[k - 1] ? times + 1 : 1;
        if (times > most) most = times, next[v] = of_row[k];
      }
    }
    if (next == labels) break;
    labels.swap(next);
  }
  for (vertex v = 0; v < graph.vertices(); ++v)
    if (found.label(v) != labels[v]) return false;
  return true;
}

}  // namespace bench::label_propagation
