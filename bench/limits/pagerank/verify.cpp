#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bench::pagerank {
namespace {

using bfs::vertex;

/// Computes the next ranks serially. Each vertex distributes its rank over its neighbours.
std::vector<double> next_ranks(const bfs::csr& graph, const std::vector<double>& ranks,
                               double damping) {
  const auto vertices = static_cast<double>(ranks.size());
  std::vector<double> next(ranks.size(), (1 - damping) / vertices);
  double dangling = 0;
  for (vertex v = 0; v < graph.vertices(); ++v) {
    const double given = damping * ranks[v] / std::max(1U, graph.degree(v));
    for (const vertex to : graph.neighbours(v)) next[to] += given;
    if (graph.degree(v) == 0) dangling += given;
  }
  for (double& rank : next) rank += dangling / vertices;
  return next;
}

}  // namespace

bool is_right(const bfs::csr& graph, double damping, std::uint64_t iterations,
              std::span<const double> found) {
  std::vector<double> ranks(graph.vertices(), 1 / static_cast<double>(graph.vertices()));
  for (std::uint64_t i = 0; i < iterations; ++i) ranks = next_ranks(graph, ranks, damping);
  for (vertex v = 0; v < graph.vertices(); ++v)
    if (!(std::abs(found[v] - ranks[v]) <= 1e-9 * ranks[v])) return false;
  return true;
}

}  // namespace bench::pagerank
