#pragma once
// Verifies labels from the edges of the input, with code that is independent of the kernel. PE 0
// propagates labels in the whole graph. For each vertex, PE 0 sorts the labels of the neighbours to
// find the most frequent label. PE 0 then sends each PE the expected labels of its vertices.

#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/common/serial_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace atl::kernels::label_propagation {

/// Returns the most frequent label of a list. If several labels are equally frequent, returns the
/// smallest of these labels.
inline vertex_id most_frequent_of(std::vector<vertex_id>& labels) {
  std::ranges::sort(labels);
  vertex_id best = labels.front();
  std::uint64_t most = 0, times = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    times = i > 0 && labels[i] == labels[i - 1] ? times + 1 : 1;
    if (times > most) most = times, best = labels[i];
  }
  return best;
}

/// Returns the labels of all vertices after at most `iterations` iterations. The neighbours of a
/// vertex are the vertices in its row of `out` and in its row of `in`. The task waits.
inline task<std::vector<vertex_id>> serial_labels(const serial_graph& out, const serial_graph& in,
                                                  std::uint64_t iterations) {
  std::vector<vertex_id> labels(out.vertices()), next, of_row;
  std::iota(labels.begin(), labels.end(), vertex_id{0});
  const auto renew = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto v = begin; v < end; ++v) {
      of_row.clear();
      for (const vertex_id neighbour : out.row(v)) of_row.push_back(labels[neighbour]);
      if (in.vertices() != 0)
        for (const vertex_id neighbour : in.row(v)) of_row.push_back(labels[neighbour]);
      if (!of_row.empty()) next[v] = most_frequent_of(of_row);
    }
  };
  constexpr std::uint64_t stretch = 64;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    next = labels;
    co_await graph::in_stretches(0, labels.size(), renew, stretch);
    if (next == labels) break;
    labels.swap(next);
  }
  co_return labels;
}

/// Differences between the labels of all PEs and the expected labels.
struct wrong_labels {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;  ///< the smallest vertex with a wrong label
  vertex_id has = no_vertex;    ///< label of the vertex `first`
  vertex_id needs = no_vertex;  ///< expected label of the vertex `first`

  static wrong_labels of_both(const wrong_labels& a, const wrong_labels& b) {
    wrong_labels both = a.first <= b.first ? a : b;
    both.count = a.count + b.count;
    return both;
  }
};

/// Compares labels with the results of a serial program. Every PE calls this function and gets the
/// same result.
inline task<wrong_labels> all_compare(vertex_array<vertex_id> found, const stored_edges& stored,
                                      const partition& shape, bool directed,
                                      std::uint64_t iterations) {
  const auto rows_of = [&](orientation arcs_are) {
    return all_serial_graph(stored, shape.vertices, arcs_are, merged_weight::none);
  };
  const auto out = co_await rows_of(directed ? orientation::out : orientation::undirected);
  serial_graph in;
  if (directed) in = co_await rows_of(orientation::in);
  const auto expected =
      co_await all_deal_values(shape, co_await serial_labels(out, in, iterations));
  wrong_labels mine;
  const auto labels = found.local();
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] == expected[row] || mine.count++ != 0) continue;
    mine.first = found.first_vertex() + row;
    mine.has = labels[row];
    mine.needs = expected[row];
  }
  co_return co_await all_reduce(mine, &wrong_labels::of_both);
}

}  // namespace atl::kernels::label_propagation
