#pragma once
// Shortest paths of a whole graph on one PE, by Dijkstra's algorithm. The verification compares
// distances and parents with the results of this computation. The code is independent of the
// kernel's code.

#include "atoll/kernels/common/serial_graph.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace atl::kernels::shortest_paths {

/// Serial shortest paths. One task of one PE uses the object.
class serial_paths {
 public:
  /// The graph must outlive this object. Without weights, each arc has length 1.
  explicit serial_paths(const serial_graph& graph)
      : graph_(graph),
        distances_(graph.vertices(), std::numeric_limits<double>::infinity()),
        parents_(graph.vertices(), no_vertex) {}

  /// Finds distances and parents from `root`. The caller must call this function only once.
  void find(vertex_id root) {
    find_distances(root);
    parents_[root] = root;
    find_parents();
    find_parents_at_equal_distance();
  }

  const std::vector<double>& distances() const { return distances_; }
  const std::vector<vertex_id>& parents() const { return parents_; }

 private:
  /// Calls `visit(target, distance(vertex) + weight)` for each arc of a vertex.
  template <class Visit>
  void for_each_arc(vertex_id vertex, Visit visit) const {
    const auto row = graph_.row(vertex);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double weight = graph_.weights.empty() ? 1 : graph_.weights_of_row(vertex)[i];
      visit(row[i], distances_[vertex] + weight);
    }
  }

  void find_distances(vertex_id root) {
    using entry = std::pair<double, vertex_id>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
    distances_[root] = 0;
    waiting.emplace(0.0, root);
    while (!waiting.empty()) {
      const auto [distance, vertex] = waiting.top();
      waiting.pop();
      if (distance != distances_[vertex]) continue;
      for_each_arc(vertex, [&](vertex_id target, double through) {
        if (!(through < distances_[target])) return;
        distances_[target] = through;
        waiting.emplace(through, target);
      });
    }
  }

  void find_parents() {
    for (vertex_id vertex = 0; vertex < graph_.vertices(); ++vertex) {
      for_each_arc(vertex, [&](vertex_id target, double through) {
        if (through == distances_[target] && distances_[vertex] < through)
          parents_[target] = std::min(parents_[target], vertex);
      });
    }
  }

  void find_parents_at_equal_distance() {
    std::vector<vertex_id> newest;
    for (vertex_id vertex = 0; vertex < graph_.vertices(); ++vertex)
      if (parents_[vertex] != no_vertex) newest.push_back(vertex);
    std::vector<vertex_id> proposed(graph_.vertices(), no_vertex);
    while (!newest.empty()) {
      std::vector<vertex_id> next;
      for (const vertex_id vertex : newest) {
        for_each_arc(vertex, [&](vertex_id target, double through) {
          const bool is_flat = through == distances_[vertex] && through == distances_[target];
          if (!is_flat || parents_[target] != no_vertex) return;
          if (proposed[target] == no_vertex) next.push_back(target);
          proposed[target] = std::min(proposed[target], vertex);
        });
      }
      for (const vertex_id vertex : next) parents_[vertex] = proposed[vertex];
      newest.swap(next);
    }
  }

  const serial_graph& graph_;
  std::vector<double> distances_;
  std::vector<vertex_id> parents_;
};

}  // namespace atl::kernels::shortest_paths
