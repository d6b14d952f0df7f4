#pragma once
// Verifies core numbers from the edges of the input, with code that is independent of the kernel.
// PE 0 removes one vertex after another in the order of degrees (Batagelj, Zaversnik 2003). PE 0
// then sends each PE its expected numbers.

#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/common/serial_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace atl::kernels::core_numbers {

/// Vertices in the order of their degrees. The degree of a vertex can be lowered by one in constant
/// time.
class vertices_by_degree {
 public:
  explicit vertices_by_degree(const serial_graph& graph)
      : degrees_(graph.vertices()), order_(graph.vertices()), places_(graph.vertices()) {
    std::uint64_t most = 0;
    for (vertex_id v = 0; v < graph.vertices(); ++v)
      most = std::max<std::uint64_t>(most, degrees_[v] = graph.row(v).size());
    begins_.resize(most + 2);
    for (const std::uint64_t degree : degrees_) ++begins_[degree + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    auto next = begins_;
    for (vertex_id v = 0; v < graph.vertices(); ++v) place(v, next[degrees_[v]]++);
  }

  std::uint64_t degree(vertex_id v) const { return degrees_[v]; }
  vertex_id at(std::uint64_t place) const { return order_[place]; }

  /// Lowers the degree of a vertex. The vertex becomes the last of the vertices with its new
  /// degree.
  void lower(vertex_id v) {
    const std::uint64_t first = begins_[degrees_[v]]++;
    const vertex_id other = order_[first];
    place(other, places_[v]);
    place(v, first);
    --degrees_[v];
  }

 private:
  void place(vertex_id v, std::uint64_t at) {
    order_[at] = v;
    places_[v] = at;
  }

  std::vector<std::uint64_t> degrees_;
  std::vector<vertex_id> order_;
  std::vector<std::uint64_t> places_;  ///< indexed by vertex
  /// For each degree: index in `order_` of the first vertex with this degree.
  std::vector<std::uint64_t> begins_;
};

/// Returns the core numbers of a graph that has each arc in both directions. The task waits.
inline task<std::vector<std::uint32_t>> serial_core_numbers(const serial_graph& of) {
  vertices_by_degree left(of);
  std::vector<std::uint32_t> cores(of.vertices());
  const auto remove = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto place = begin; place < end; ++place) {
      const vertex_id v = left.at(place);
      cores[v] = static_cast<std::uint32_t>(left.degree(v));
      for (const vertex_id neighbour : of.row(v))
        if (left.degree(neighbour) > left.degree(v)) left.lower(neighbour);
    }
  };
  constexpr std::uint64_t stretch = 256;
  co_await graph::in_stretches(0, of.vertices(), remove, stretch);
  co_return cores;
}

/// Differences between the core numbers of all PEs and the expected core numbers.
struct wrong_cores {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;  ///< the smallest vertex with a wrong number
  std::uint32_t has = 0;        ///< core number of the vertex `first`
  std::uint32_t needs = 0;      ///< expected core number of the vertex `first`
  std::uint32_t largest = 0;    ///< the largest expected core number
  std::uint64_t largest_vertices = 0;

  static wrong_cores of_both(const wrong_cores& a, const wrong_cores& b) {
    wrong_cores both = a.first <= b.first ? a : b;
    both.count = a.count + b.count;
    both.largest = std::max(a.largest, b.largest);
    both.largest_vertices = (a.largest == both.largest ? a.largest_vertices : 0) +
                            (b.largest == both.largest ? b.largest_vertices : 0);
    return both;
  }
};

/// Compares core numbers with the results of a serial program. Every PE calls this function. Every
/// PE gets the same result.
inline task<wrong_cores> all_compare(vertex_array<std::uint32_t> found, const stored_edges& stored,
                                     const partition& shape) {
  const auto graph = co_await all_serial_graph(stored, shape.vertices, orientation::undirected,
                                               merged_weight::none);
  const auto expected = co_await all_deal_values(shape, co_await serial_core_numbers(graph));
  wrong_cores mine;
  const auto cores = found.local();
  for (std::size_t row = 0; row < cores.size(); ++row) {
    if (expected[row] > mine.largest) mine.largest_vertices = 0;
    mine.largest = std::max(mine.largest, expected[row]);
    mine.largest_vertices += expected[row] == mine.largest ? 1 : 0;
    if (cores[row] == expected[row] || mine.count++ != 0) continue;
    mine.first = found.first_vertex() + row;
    mine.has = cores[row];
    mine.needs = expected[row];
  }
  co_return co_await all_reduce(mine, &wrong_cores::of_both);
}

}  // namespace atl::kernels::core_numbers
