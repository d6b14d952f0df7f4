#pragma once
// This file answers queries about a search tree. A query returns the sizes of all levels, some
// vertices of each level as examples, or a path.

#include "atoll/kernels/bfs/part.hpp"
#include "atoll/kernels/bfs/search.hpp"

namespace atl::kernels::bfs {

/// Returns the rows of the vertices of this PE in one level of the tree.
template <class Id>
std::span<const Id> rows_of_level(const search_part<Id>& tree, std::uint64_t level) {
  const std::uint64_t begin = tree.levels[level];
  const std::uint64_t end =
      level + 1 < tree.levels.size() ? tree.levels[level + 1] : tree.reached.size();
  return std::span<const Id>(tree.reached).subspan(begin, end - begin);
}

/// Returns the number of vertices at each level. Every PE calls this function.
template <class Id>
task<std::vector<std::uint64_t>> all_level_sizes(const search_part<Id>& tree) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t level = 0; level < tree.levels.size(); ++level) {
    sizes.push_back(rows_of_level(tree, level).size());
  }
  co_return co_await all_reduce(std::move(sizes), [](auto a, auto b) { return a + b; });
}

/// A vertex that is an example of its level.
struct level_example {
  std::uint64_t level = 0;
  std::uint64_t vertex = 0;
  std::uint64_t neighbours = 0;

  /// Orders examples by level. Within a level, the vertex with more neighbours comes first.
  friend bool operator<(const level_example& a, const level_example& b) {
    if (a.level != b.level) return a.level < b.level;
    if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours;
    return a.vertex < b.vertex;
  }
};

/// Sorts the examples from position `begin` on, and removes all except the first `count` of them.
inline void keep_first(std::vector<level_example>& examples, std::size_t begin,
                       std::uint64_t count) {
  std::sort(examples.begin() + static_cast<std::ptrdiff_t>(begin), examples.end());
  examples.resize(std::min<std::size_t>(examples.size(), begin + count));
}

/// Returns this PE's candidates for the result of `all_level_examples`.
template <class Id>
task<std::vector<level_example>> level_examples_here(const graph_part<Id>& graph,
                                                     const search_part<Id>& tree,
                                                     const std::vector<std::uint64_t>& of_hubs,
                                                     std::uint64_t levels, std::uint64_t count) {
  std::vector<level_example> best;
  for (std::uint64_t level = 0; level < std::min(levels, tree.levels.size()); ++level) {
    const std::size_t begin = best.size();
    const auto rows = rows_of_level(tree, level);
    const auto look = [&](std::uint64_t first, std::uint64_t last) {
      for (const Id row : rows.subspan(first, last - first)) {
        const std::uint64_t vertex = graph.first_vertex + row;
        const auto hub = graph.shape.hub_number(vertex);
        best.push_back({level, vertex, hub ? of_hubs[*hub] : graph.row(row).size()});
      }
      keep_first(best, begin, count);
    };
    co_await graph::in_stretches(0, rows.size(), look);
  }
  co_return best;
}

/// For each of the first `levels` levels, returns the `count` vertices with the most neighbours.
/// The result is in the order of levels. Every PE calls this function and gets the same result.
template <class Id>
task<std::vector<level_example>> all_level_examples(const graph_part<Id>& graph,
                                                    const search_part<Id>& tree,
                                                    std::uint64_t levels, std::uint64_t count) {
  const auto of_hubs = co_await all_neighbours_of_hubs(graph);
  const auto mine = co_await level_examples_here(graph, tree, of_hubs, levels, count);
  std::vector<level_example> all;
  for (const auto& of_pe : co_await all_gather(std::span<const level_example>(mine))) {
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<level_example> best;
  std::uint64_t of_level = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    of_level = i > 0 && all[i].level == all[i - 1].level ? of_level + 1 : 0;
    if (of_level < count) best.push_back(all[i]);
  }
  co_return best;
}

/// Returns the vertices from the root of the tree to `vertex`, both included. The result is empty
/// if `vertex` was not reached. One task calls this function. The call asks the owner of each
/// vertex of the path, one after another.
template <class Id>
task<std::vector<std::uint64_t>>
path_from_root(distributed_graph<Id> graph, per_pe<search_part<Id>> parts, std::uint64_t vertex) {
  std::vector<std::uint64_t> path;
  const partition& shape = graph->shape;
  const std::uint64_t most = parts->levels.size();
  while (path.size() < most) {
    const int owner = shape.owner(vertex);
    const Id row = static_cast<Id>(vertex - shape.begin(owner));
    const Id parent = co_await call(owner, [parts, row] { return parts->parents[row]; });
    if (parent == k_no_parent<Id>) break;
    path.push_back(vertex);
    if (parent == vertex) break;
    vertex = parent;
  }
  std::ranges::reverse(path);
  co_return path;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in bfs.cpp.
#define ATOLL_BFS_TREE(kind, Id)                                                                   \
  kind template task<std::vector<std::uint64_t>> all_level_sizes(const search_part<Id>&);          \
  kind template task<std::vector<level_example>> all_level_examples(                               \
      const graph_part<Id>&, const search_part<Id>&, std::uint64_t, std::uint64_t);                \
  kind template task<std::vector<std::uint64_t>> path_from_root(                                   \
      distributed_graph<Id>, per_pe<search_part<Id>>, std::uint64_t);
ATOLL_BFS_TREE(extern, std::uint32_t)
ATOLL_BFS_TREE(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
