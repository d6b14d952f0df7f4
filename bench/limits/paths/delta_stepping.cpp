#include "delta_stepping.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace bench::paths {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t none = ~std::size_t{0};
/// Threshold of bucket fusion. If a thread has added fewer than `largest_fused` vertices to the
/// current bucket, the thread processes these vertices at once, without a barrier.
constexpr std::size_t largest_fused = 1000;

}  // namespace

delta_stepping::delta_stepping(const graph& of, double width)
    : of_(of),
      width_(width),
      distances_(of.vertices()),
      parents_(of.vertices()),
      frontier_(of.arcs() + 1) {
  distances_.touch();
  parents_.touch();
}

void delta_stepping::expand(vertex from, buckets& to) {
  const double before = distances_[from];
  const auto targets = of_.targets(from);
  const double* const weights = of_.weights(from);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::atomic_ref<double> distance(distances_[targets[i]]);
    const double through = before + weights[i];
    double now = distance.load(std::memory_order_relaxed);
    while (through < now) {
      if (!distance.compare_exchange_weak(now, through, std::memory_order_relaxed)) continue;
      const auto bucket = static_cast<std::size_t>(through / width_);
      if (bucket >= to.size()) to.resize(bucket + 1);
      to[bucket].push_back(targets[i]);
      break;
    }
  }
}

void delta_stepping::find_distances(vertex root) {
  distances_[root] = 0;
  frontier_[0] = root;
  std::size_t size = 1, bucket = 0, next = none, next_size = 0;
#pragma omp parallel
  {
    buckets mine;
    while (bucket != none) {
#pragma omp for schedule(dynamic, 64) nowait
      for (std::size_t i = 0; i < size; ++i) {
        const vertex v = frontier_[i];
        if (distances_[v] >= width_ * static_cast<double>(bucket)) expand(v, mine);
      }
      while (bucket < mine.size() && !mine[bucket].empty() && mine[bucket].size() < largest_fused) {
        std::vector<vertex> fused;
        fused.swap(mine[bucket]);
        for (const vertex v : fused) expand(v, mine);
      }
      std::size_t lowest = bucket;
      while (lowest < mine.size() && mine[lowest].empty()) ++lowest;
      if (lowest < mine.size()) {
#pragma omp critical
        next = std::min(next, lowest);
      }
#pragma omp barrier
      if (next < mine.size()) {
        auto& from = mine[next];
        const auto at = std::atomic_ref(next_size).fetch_add(from.size());
        std::copy(from.begin(), from.end(), frontier_.data() + at);
        from.clear();
      }
#pragma omp barrier
#pragma omp single
      {
        bucket = std::exchange(next, none);
        size = std::exchange(next_size, 0);
      }
    }
  }
}

/// Finds the parent of each vertex, which is the smallest neighbour on a shortest path. All weights
/// must be above 0, because parents would otherwise form cycles.
void delta_stepping::find_parents(vertex root) {
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < of_.vertices(); ++v) {
    const double distance = distances_[v];
    const auto targets = of_.targets(static_cast<vertex>(v));
    const double* const weights = of_.weights(static_cast<vertex>(v));
    parents_[v] = static_cast<vertex>(-1);
    if (distance == infinite) continue;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (distances_[targets[i]] + weights[i] != distance) continue;
      parents_[v] = targets[i];
      break;
    }
  }
  parents_[root] = root;
}

void delta_stepping::run(vertex root) {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < of_.vertices(); ++v) distances_[v] = infinite;
  find_distances(root);
  find_parents(root);
}

}  // namespace bench::paths
