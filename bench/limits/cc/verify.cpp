#include "verify.hpp"

#include <vector>

namespace bench::cc {

bool is_right(const csr& graph, const afforest& found) {
  std::vector<bool> reached(graph.vertices());
  std::vector<vertex> waiting;
  for (vertex root = 0; root < graph.vertices(); ++root) {
    if (reached[root]) continue;
    reached[root] = true;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const vertex u = waiting.back();
      waiting.pop_back();
      if (found.label(u) != root) return false;
      for (const vertex v : graph.neighbours(u)) {
        if (reached[v]) continue;
        reached[v] = true;
        waiting.push_back(v);
      }
    }
  }
  return true;
}

}  // namespace bench::cc
