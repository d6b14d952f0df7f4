#include "count.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

namespace bench::triangles {
namespace {

template <class T>
void add(T& counter, T value) {
  std::atomic_ref(counter).fetch_add(value, std::memory_order_relaxed);
}

}  // namespace

counter::counter(const csr& graph)
    : graph_(graph),
      ranks_(graph.vertices()),
      vertices_(graph.vertices()),
      offsets_(graph.vertices() + 1),
      targets_(graph.arcs() / 2),
      at_(graph.arcs() / 2),
      totals_(graph.vertices()) {
  ranks_.touch();
  vertices_.touch();
  offsets_.touch();
  targets_.touch();
  at_.touch();
  totals_.touch();
}

void counter::run() {
  order();
  orient();
  count();
}

/// Computes the rank of each vertex: 0 for the largest degree. Among vertices of equal degree, the
/// vertex with the smallest number gets the smallest rank.
void counter::order() {
  std::uint32_t most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t v = 0; v < ranks_.size(); ++v)
    most = std::max(most, graph_.degree(static_cast<vertex>(v)));
  std::vector<vertex> next(most + 2);
  for (std::size_t v = 0; v < ranks_.size(); ++v)
    ++next[most - graph_.degree(static_cast<vertex>(v)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t v = 0; v < ranks_.size(); ++v) {
    ranks_[v] = next[most - graph_.degree(static_cast<vertex>(v))]++;
    vertices_[ranks_[v]] = static_cast<vertex>(v);
  }
}

/// Makes a row for each vertex, with the neighbours that have smaller ranks.
void counter::orient() {
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t r = 0; r < vertices_.size(); ++r) {
    std::uint32_t heavier = 0;
    for (const vertex w : graph_.neighbours(vertices_[r])) heavier += ranks_[w] < r;
    offsets_[r + 1] = heavier;
  }
  offsets_[0] = 0;
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t r = 0; r < vertices_.size(); ++r) {
    vertex* next = targets_.data() + offsets_[r];
    for (const vertex w : graph_.neighbours(vertices_[r]))
      if (ranks_[w] < r) *next++ = ranks_[w];
    std::sort(targets_.data() + offsets_[r], next);
  }
}

/// Counts each triangle once for each of its vertices. A triangle is found in the row of its vertex
/// with the largest rank. The row has an entry for each of the other two vertices, and each entry
/// counts its triangles. In the end, the counts of the entries are added to the totals of the
/// vertices.
void counter::count() {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] = 0;
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t r = 0; r < totals_.size(); ++r) {
    std::uint64_t of_row = 0;
    for (std::uint32_t i = offsets_[r]; i < offsets_[r + 1]; ++i) {
      const vertex v = targets_[i];
      const std::uint32_t found = merge(offsets_[r], i, offsets_[v], offsets_[v + 1]);
      at_[i] += found;
      of_row += found;
    }
    for (std::uint32_t i = offsets_[r]; i < offsets_[r + 1]; ++i)
      if (at_[i] != 0) add(totals_[targets_[i]], std::uint64_t{at_[i]});
    add(totals_[r], of_row);
  }
}

/// Returns the number of common elements of two sorted lists in `targets_`. The first list has the
/// indices `first` to `end_first` - 1, and the second list has the indices `other` to `end` - 1.
/// For each common element, adds 1 to `at_[i]`, where i is the index of the element in the first
/// list.
std::uint32_t counter::merge(std::uint32_t first, std::uint32_t end_first, std::uint32_t other,
                             std::uint32_t end) const {
  std::uint32_t found = 0;
  while (first < end_first && other < end) {
    const vertex a = targets_[first], b = targets_[other];
    const std::uint32_t same = a == b;
    at_[first] += same;
    found += same;
    first += a <= b;
    other += b <= a;
  }
  return found;
}

std::uint64_t counter::sum() const {
  return std::accumulate(totals_.begin(), totals_.end(), std::uint64_t{0});
}

/// Counts the triangles of each vertex serially: each common neighbour of the endpoints of an edge
/// forms a triangle with the edge.
bool is_right(const csr& graph, const counter& found) {
  std::vector<std::uint64_t> expected(graph.vertices());
  std::vector<char> is_neighbour(graph.vertices());
  for (vertex a = 0; a < graph.vertices(); ++a) {
    for (const vertex b : graph.neighbours(a)) is_neighbour[b] = 1;
    for (const vertex b : graph.neighbours(a)) {
      if (std::pair(graph.degree(b), b) > std::pair(graph.degree(a), a)) continue;
      for (const vertex c : graph.neighbours(b)) expected[c] += is_neighbour[c] != 0;
    }
    for (const vertex b : graph.neighbours(a)) is_neighbour[b] = 0;
  }
  for (vertex v = 0; v < graph.vertices(); ++v)
    if (found.triangles(v) != expected[v]) return false;
  return true;
}

}  // namespace bench::triangles
