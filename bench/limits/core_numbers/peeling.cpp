#include "peeling.hpp"

#include <omp.h>
#include <vector>

namespace bench::core_numbers {
namespace {

// Number of levels for which a thread collects vertices at a time. A level is a degree, and each
// level has a bucket.
constexpr std::uint32_t window = 64;

}  // namespace

/// The work of one thread. The thread looks for vertices of low degree in a range of the graph. The
/// thread removes the vertices whose degree equals the level. A removal lowers the degrees of
/// neighbours, and neighbours whose degree falls to the level are removed, too.
class peeling::thread {
 public:
  thread(peeling& all, std::size_t begin, std::size_t end) : all_(all), buckets_(window) {
    for (auto v = begin; v < end; ++v) {
      all.degrees_[v] = all.graph_.degree(static_cast<vertex>(v));
      left_.push_back(static_cast<vertex>(v));
    }
  }

  /// Collects the vertices of the next `window` levels in buckets.
  void look(std::uint32_t level) {
    level_ = level;
    std::size_t kept = 0;
    for (const vertex v : left_) {
      const std::uint32_t degree = load(v);
      if (degree < level) continue;
      left_[kept++] = v;
      if (degree - level < window) buckets_[degree - level].push_back(v);
    }
    left_.resize(kept);
  }

  /// Removes the vertices in the bucket of a level, and the vertices whose degree thereby falls to
  /// the level. Returns the number of removed vertices.
  std::uint64_t remove(std::uint32_t level) {
    auto& bucket = buckets_[level - level_];
    for (const vertex v : bucket)
      if (load(v) == level) ripe_.push_back(v);
    bucket.clear();
    for (std::size_t next = 0; next < ripe_.size(); ++next)
      for (const vertex u : all_.graph_.neighbours(ripe_[next])) lower(u, level);
    const std::uint64_t removed = ripe_.size();
    ripe_.clear();
    return removed;
  }

 private:
  std::uint32_t load(vertex v) const {
    return std::atomic_ref(all_.degrees_[v]).load(std::memory_order_relaxed);
  }

  void lower(vertex u, std::uint32_t level) {
    if (load(u) <= level) return;
    const std::atomic_ref degree(all_.degrees_[u]);
    const std::uint32_t before = degree.fetch_sub(1, std::memory_order_relaxed);
    if (before <= level)
      degree.fetch_add(1, std::memory_order_relaxed);
    else if (before == level + 1)
      ripe_.push_back(u);
    else if (before - 1 - level_ < window)
      buckets_[before - 1 - level_].push_back(u);
  }

  peeling& all_;
  std::uint32_t level_ = 0;   // level of the first bucket
  std::vector<vertex> left_;  // vertices in the range of this thread that were not removed
  std::vector<std::vector<vertex>> buckets_;
  std::vector<vertex> ripe_;
};

peeling::peeling(const csr& graph) : graph_(graph), degrees_(graph.vertices()) { degrees_.touch(); }

void peeling::remove_all(thread& mine) {
  for (std::uint32_t level = 0; removed_ < degrees_.size(); ++level) {
    if (level % window == 0) {
#pragma omp barrier
      mine.look(level);
    }
#pragma omp barrier
    removed_ += mine.remove(level);
#pragma omp barrier
  }
}

void peeling::run() {
  removed_ = 0;
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto number = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = degrees_.size() * number / threads;
    thread mine(*this, begin, degrees_.size() * (number + 1) / threads);
#pragma omp barrier
    remove_all(mine);
  }
}

}  // namespace bench::core_numbers
