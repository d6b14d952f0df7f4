#pragma once
// What one PE has of a search tree while it grows.

#include "atoll/atoll.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/kernels/common/bitmap.hpp"
#include "atoll/local_memory.hpp"

#include <functional>

namespace atl::kernels::bfs {

template <class Id>
inline constexpr Id k_no_parent = static_cast<Id>(~Id{0});

/// One PE's part of a search tree, and what it needs to grow it.
template <class Id>
struct search_part {
  /// By vertex owned here: its parent in the tree; itself for the root; or k_no_parent.
  huge_vector<Id> parents;
  /// Rows of the vertices reached here, in the order of their levels; level l begins at levels[l].
  huge_vector<Id> reached;
  std::vector<std::uint64_t> levels;
  std::uint64_t scanned_arcs = 0;

  std::vector<std::uint64_t> arcs_of_hubs;  ///< of all PEs, by number

  bitmap visited;   ///< by row
  bitmap isolated;  ///< by row: those that have no arc, and are never to be reached

  std::uint64_t first_vertex = 0;
  bool prepared = false;
  /// Hears, where it is set, after each level which part of all vertices is reached.
  std::function<void(double)> progress;

  /// Takes the memory, before the first search of the graph.
  void prepare(const graph_part<Id>& graph) {
    prepared = true;
    first_vertex = graph.first_vertex;
    parents.assign(graph.vertices, k_no_parent<Id>);
    reached.reserve(graph.vertices);
    isolated.reset(graph.vertices);
    find_isolated(graph);
    visited = isolated;
  }

  /// Forgets the last search; a part of each, under its clock.
  void start() {
    std::ranges::fill(parents, k_no_parent<Id>);
    reached.clear();
    levels.assign(1, 0);
    visited = isolated;
  }

  /// A hub has its arcs in other rows, and arcs that lead out of a vertex are not all it has in a
  /// directed graph.
  void find_isolated(const graph_part<Id>& graph) {
    if (graph.arcs_are != orientation::undirected) return;
    for (std::uint64_t row = 0; row < graph.vertices; ++row) {
      const std::uint64_t vertex = first_vertex + row;
      if (graph.row(row).empty() && !graph.shape.hub_number(vertex)) isolated.set(row);
    }
  }

  /// Whether a vertex that is owned here has been reached.
  bool has(std::uint64_t vertex) const { return parents[vertex - first_vertex] != k_no_parent<Id>; }

  /// Of a bitmap of the hubs.
  std::size_t hub_words() const { return (arcs_of_hubs.size() + 63) / 64; }

  /// Makes `parent` the parent of the vertex of this row, unless it has one.
  void claim(Id row, Id parent) {
    if (parents[row] != k_no_parent<Id>) return;
    parents[row] = parent;
    visited.set(row);
    reached.push_back(row);
  }

  /// Rows of the level that is being reached.
  std::span<const Id> newest() const { return std::span<const Id>(reached).subspan(levels.back()); }

  /// What is reached from now on is of the next level.
  void close_level() { levels.push_back(reached.size()); }

  /// Rows of the level that was closed last.
  std::span<const Id> closed() const {
    const std::uint64_t begin = levels[levels.size() - 2];
    return std::span<const Id>(reached).subspan(begin, levels.back() - begin);
  }
};

}  // namespace atl::kernels::bfs
