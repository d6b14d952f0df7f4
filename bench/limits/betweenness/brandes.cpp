#include "brandes.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>

namespace bench::betweenness {
namespace {

// Selects one of two methods to find the next level. In the marking method, a thread marks the
// unreached neighbours of the last level, and only marked vertices examine their neighbours.
// Without marks, all unreached vertices examine their neighbours. The program marks vertices if the
// last level has few arcs: less than 1/k_few of the arcs of the unreached vertices.
constexpr std::uint64_t k_few = 12;

template <class T>
void fill(const huge_array<T>& array, T value) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = value;
}

}  // namespace

brandes::brandes(const csr& graph)
    : graph_(graph),
      paths_(graph.vertices()),
      given_(graph.vertices()),
      scores_(graph.vertices()),
      is_told_(graph.vertices()) {
  paths_.touch();
  given_.touch();
  scores_.touch();
  is_told_.touch();
}

void brandes::run(const std::vector<std::uint64_t>& sources) {
  fill(scores_, 0.0);
  for (const std::uint64_t source : sources) {
    search(static_cast<vertex>(source));
    accumulate();
  }
}

/// Counts the shortest paths to all vertices, level by level.
void brandes::search(vertex source) {
  fill(paths_, 0.0);
  levels_.assign(1, {source});
  paths_[source] = 1;
  arcs_not_reached_ = graph_.arcs() - graph_.degree(source);
  for (;;) {
    const std::vector<vertex>& last = levels_.back();
    std::uint64_t arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs)
    for (std::size_t i = 0; i < last.size(); ++i) arcs += graph_.degree(last[i]);
    if (arcs * k_few < arcs_not_reached_)
      pull_where_told(last);
    else
      pull_from_all();
    if (levels_.back().empty()) break;
  }
  levels_.pop_back();
}

template <class Value>
double brandes::sum_over(vertex v, const Value& values) const {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  const auto row = graph_.neighbours(v);
  std::size_t i = 0;
  for (; i + lanes <= row.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[row[i + lane]];
  for (; i < row.size(); ++i) sums[0] += values[row[i]];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void brandes::pull_from_all() {
  std::vector<std::vector<reached>> found(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    auto& mine = found[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 1024)
    for (std::size_t v = 0; v < paths_.size(); ++v) {
      if (paths_[v] != 0) continue;
      const double paths = sum_over(static_cast<vertex>(v), paths_);
      if (paths != 0) mine.push_back({static_cast<vertex>(v), paths});
    }
  }
  take(found);
}

void brandes::pull_where_told(const std::vector<vertex>& last) {
  std::vector<std::vector<reached>> found(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    auto& mine = found[static_cast<std::size_t>(omp_get_thread_num())];
    std::vector<vertex> told;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t i = 0; i < last.size(); ++i) {
      for (const vertex v : graph_.neighbours(last[i])) {
        if (paths_[v] != 0) continue;
        if (std::atomic_ref(is_told_[v]).exchange(1, std::memory_order_relaxed) == 0)
          told.push_back(v);
      }
    }
    for (const vertex v : told) {
      is_told_[v] = 0;
      mine.push_back({v, sum_over(v, paths_)});
    }
  }
  take(found);
}

/// Stores the found vertices as the next level.
void brandes::take(std::vector<std::vector<reached>>& found) {
  std::vector<std::size_t> begins(1);
  for (const auto& some : found) begins.push_back(begins.back() + some.size());
  std::vector<vertex> level(begins.back());
  std::uint64_t arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs)
  for (std::size_t t = 0; t < found.size(); ++t) {
    for (std::size_t i = 0; i < found[t].size(); ++i) {
      const auto [v, paths] = found[t][i];
      level[begins[t] + i] = v;
      paths_[v] = paths;
      arcs += graph_.degree(v);
    }
  }
  arcs_not_reached_ -= arcs;
  levels_.push_back(std::move(level));
}

/// Adds the dependencies of all vertices to the scores. The dependencies are added from the last
/// level of the search tree to the first level.
void brandes::accumulate() {
  fill(given_, 0.0);
  for (std::size_t number = levels_.size(); number-- > 1;) {
    const std::vector<vertex>& level = levels_[number];
    std::vector<double> values(level.size());
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < level.size(); ++i) {
      const vertex v = level[i];
      const double dependency = paths_[v] * sum_over(v, given_);
      scores_[v] += dependency;
      values[i] = (1 + dependency) / paths_[v];
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < level.size(); ++i) given_[level[i]] = values[i];
  }
}

bool is_right(const csr& graph, const std::vector<std::uint64_t>& sources, const brandes& found) {
  const std::size_t n = graph.vertices();
  std::vector<double> scores(n), paths, dependency;
  std::vector<std::uint64_t> distance;
  for (const std::uint64_t source : sources) {
    std::vector<vertex> order(1, static_cast<vertex>(source));
    distance.assign(n, n);
    paths.assign(n, 0);
    dependency.assign(n, 0);
    distance[source] = 0;
    paths[source] = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const vertex v = order[i];
      for (const vertex w : graph.neighbours(v)) {
        if (distance[w] == n) {
          distance[w] = distance[v] + 1;
          order.push_back(w);
        }
        if (distance[w] == distance[v] + 1) paths[w] += paths[v];
      }
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const vertex v = order[i];
      for (const vertex w : graph.neighbours(v))
        if (distance[w] == distance[v] + 1)
          dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
      scores[v] += dependency[v];
    }
  }
  for (vertex v = 0; v < n; ++v)
    if (!(std::abs(found.score(v) - scores[v]) <= 1e-9 * scores[v])) return false;
  return true;
}

}  // namespace bench::betweenness
