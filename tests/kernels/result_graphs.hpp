#pragma once
// Graphs of plain edges, and functions that tests of results share.

#include "atoll/graph.hpp"
#include "kernels/bfs_graphs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace atl::result_graphs {

using plain_graph = bfs_graphs::graph;

/// Makes a global array of the edges of a plain graph.
inline task<global_array<edge>> array_of(const plain_graph& of) {
  const auto edges = co_await make_array<edge>(of.edges.size());
  co_await put(edges, 0, std::span<const edge>(of.edges));
  co_return edges;
}

/// Makes a graph from the edges of `of`. Vertices after the largest endpoint of an edge are left
/// out.
inline task<global_graph> graph_of(const plain_graph& of, graph_options options = {}) {
  const auto edges = co_await array_of(of);
  const auto made = co_await make_graph(edges, options);
  co_await edges.destroy();
  co_return made;
}

/// Returns the weight of edge `i`. Some weights are negative, and some weights are equal.
inline std::int64_t weight_of(std::uint64_t i) {
  return static_cast<std::int64_t>(hash(i) % 50) - 10;
}

inline task<global_graph> weighted_graph_of(const plain_graph& of, graph_options options = {}) {
  std::vector<weighted_edge> all;
  for (const edge& e : of.edges) all.push_back({e.from, e.to, weight_of(all.size())});
  const auto edges = co_await make_array<weighted_edge>(all.size());
  co_await put(edges, 0, std::span<const weighted_edge>(all));
  const auto made = co_await make_graph(edges, options);
  co_await edges.destroy();
  co_return made;
}

/// Returns a random graph with loops, parallel edges and isolated vertices.
inline plain_graph random_graph(std::uint64_t vertices, std::uint64_t edges) {
  plain_graph made{"random", vertices, {}};
  for (std::uint64_t i = 0; i < edges; ++i)
    made.edges.push_back({hash(2 * i) % vertices, hash(2 * i + 1) % (vertices - 5)});
  return made;
}

/// Awaits `work()`, and returns the text of the error that it throws. The error must have the code
/// `code`. If nothing is thrown, the result is "".
template <class Work>
task<std::string> refusal_of(Work work, errc code) {
  try {
    co_await work();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), code) << refused.what();
    co_return refused.what();
  }
  co_return std::string();
}

template <class Result>
task<> expect_wrong(global_graph graph, Result found, const std::string& words) {
  const auto check = [graph, found] { return verify(graph, found); };
  const std::string text = co_await refusal_of(check, errc::wrong_result);
  EXPECT_THAT(text, testing::HasSubstr(words));
}

/// Sets the element of `vertex`, and waits until the element has the new value.
template <class T>
task<> set(const vertex_array<T>& array, vertex_id vertex, T value) {
  co_await write(array[vertex], value);
}

}  // namespace atl::result_graphs
