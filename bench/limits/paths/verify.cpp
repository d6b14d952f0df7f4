#include "verify.hpp"

#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace bench::paths {
namespace {

std::vector<double> serial_distances(const graph& of, vertex root) {
  using entry = std::pair<double, vertex>;
  std::vector<double> distances(of.vertices(), std::numeric_limits<double>::infinity());
  std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
  distances[root] = 0;
  for (waiting.emplace(0.0, root); !waiting.empty();) {
    const auto [distance, v] = waiting.top();
    waiting.pop();
    if (distance != distances[v]) continue;
    const auto targets = of.targets(v);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const double through = distance + of.weights(v)[i];
      if (through >= distances[targets[i]]) continue;
      distances[targets[i]] = through;
      waiting.emplace(through, targets[i]);
    }
  }
  return distances;
}

vertex expected_parent(const graph& of, const std::vector<double>& distances, vertex v) {
  const auto targets = of.targets(v);
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (distances[targets[i]] + of.weights(v)[i] == distances[v]) return targets[i];
  return static_cast<vertex>(-1);
}

}  // namespace

bool is_right(const graph& of, const delta_stepping& found, vertex root) {
  const auto distances = serial_distances(of, root);
  for (vertex v = 0; v < of.vertices(); ++v) {
    if (found.distance(v) != distances[v]) return false;
    if (distances[v] == std::numeric_limits<double>::infinity()) continue;
    const vertex parent = v == root ? root : expected_parent(of, distances, v);
    if (found.parent(v) != parent) return false;
  }
  return true;
}

}  // namespace bench::paths
