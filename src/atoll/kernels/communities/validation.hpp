#pragma once
// Verifies communities on one PE from the edges of the input. The code is independent of the
// kernel's code: sums are floating-point numbers, and a search tells whether a community is
// connected.

#include "atoll/kernels/common/serial_graph.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl::kernels::communities {

/// The number of communities, their modularity, and their quality in the constant Potts model.
struct expected_quality {
  std::uint64_t count = 0;
  double modularity = 0;
  double potts = 0;
};

/// A vertex is wrong if its label is not the smallest vertex of its community, or if its community
/// is not connected. `needs` is the smallest vertex of the community. `reached` is false if no path
/// within the community leads from `needs` to `vertex`.
struct wrong_label {
  vertex_id vertex = 0;
  vertex_id has = 0;
  vertex_id needs = 0;
  bool reached = true;
};

/// Finds the first wrong vertex (see `wrong_label`). Paths may not contain edges of weight 0.
inline std::optional<wrong_label> find_wrong_label(const serial_graph& both_ways,
                                                   const std::vector<vertex_id>& labels) {
  std::map<vertex_id, vertex_id> smallest;
  for (vertex_id v = 0; v < labels.size(); ++v) smallest.emplace(labels[v], v);
  std::vector<bool> reached(labels.size());
  for (const auto& [label, first] : smallest) {
    std::vector<vertex_id> waiting(1, first);
    reached[first] = true;
    while (!waiting.empty()) {
      const vertex_id v = waiting.back();
      waiting.pop_back();
      const auto row = both_ways.row(v);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (reached[row[i]] || labels[row[i]] != label) continue;
        if (!both_ways.weights.empty() && both_ways.weights_of_row(v)[i] <= 0) continue;
        reached[row[i]] = true;
        waiting.push_back(row[i]);
      }
    }
  }
  for (vertex_id v = 0; v < labels.size(); ++v) {
    const vertex_id needs = smallest[labels[v]];
    if (labels[v] != needs || !reached[v])
      return wrong_label{v, labels[v], needs, static_cast<bool>(reached[v])};
  }
  return std::nullopt;
}

/// Computes the quality of communities. `both_ways` has each arc in both directions.
inline expected_quality quality_of(const serial_graph& both_ways,
                                   const std::vector<vertex_id>& labels, double resolution,
                                   double resolution_of_potts) {
  // For each community: sum of the weights, and number of vertices.
  std::map<vertex_id, std::pair<double, double>> sums;
  double all = 0, inside = 0;
  for (vertex_id v = 0; v < labels.size(); ++v) {
    auto& [strength, vertices] = sums[labels[v]];
    ++vertices;
    const auto row = both_ways.row(v);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double weight = both_ways.weights.empty() ? 1 : both_ways.weights_of_row(v)[i];
      strength += weight;
      all += weight;
      inside += labels[row[i]] == labels[v] ? weight : 0;
    }
  }
  expected_quality found{sums.size(), all > 0 ? inside / all : 0, inside / 2};
  for (const auto& [label, sum] : sums) {
    const auto& [strength, vertices] = sum;
    if (all > 0) found.modularity -= resolution * (strength / all) * (strength / all);
    found.potts -= resolution_of_potts * vertices * (vertices - 1) / 2;
  }
  return found;
}

/// Returns a graph that has each arc in both directions, with equal weights. In a directed graph,
/// the weight is the sum of the weights of both directions. In an undirected graph, the weight is
/// the mean of the weights of both directions.
inline serial_graph both_ways(const serial_graph& out, bool directed) {
  std::vector<std::map<vertex_id, double>> rows(out.vertices());
  const bool weighted = !out.weights.empty();
  for (vertex_id v = 0; v < out.vertices(); ++v) {
    const auto row = out.row(v);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double weight = (weighted ? out.weights_of_row(v)[i] : 1) * (directed ? 1 : 0.5);
      rows[v][row[i]] += weight;
      rows[row[i]][v] += weight;
    }
  }
  serial_graph made;
  for (const auto& row : rows) {
    for (const auto& [target, weight] : row) {
      made.targets.push_back(target);
      made.weights.push_back(weight);
    }
    made.offsets.push_back(made.targets.size());
  }
  return made;
}

}  // namespace atl::kernels::communities
