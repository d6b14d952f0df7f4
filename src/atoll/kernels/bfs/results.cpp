// Searches as programs call them: the tree of the kernel becomes arrays by vertex, and back.

#include "atoll/graph/input_check.hpp"
#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/bfs/run.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <numeric>

namespace atl {
namespace {

namespace kernel = kernels::bfs;

template <class Id>
using tree_parts = per_pe<kernel::search_part<Id>>;

/// Fills this PE's part of the arrays of `tree` with what the kernel has found.
template <class Id>
task<> keep_here(distributed_graph<Id> rows, tree_parts<Id> parts, search_tree tree) {
  const kernel::search_part<Id>& found = parts.local();
  const auto parents = tree.parent.local();
  const auto distances = tree.distance.local();
  const auto levels = kernel::local_levels(rows.local(), found);
  const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      const Id parent = found.parents[row];
      parents[row] = parent == kernel::k_no_parent<Id> ? no_vertex : vertex_id{parent};
      distances[row] = levels[row];
    }
  };
  co_await graph::in_stretches(0, parents.size(), keep);
}

template <class Id>
task<search_tree> search(distributed_graph<Id> rows, search_tree tree) {
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const auto run = [on, rows, tree]() -> task<kernel::search_outcome> {
    const auto outcome = co_await kernel::all_run(on, tree.root, false);
    co_await keep_here(rows, on.parts, tree);
    co_return outcome;
  };
  const kernel::search_outcome outcome = co_await from_all_pes(run);
  co_await on.destroy();
  tree.reached = outcome.reached_vertices;
  tree.levels = outcome.levels;
  co_return tree;
}

/// Makes the kernel's part of a tree of what the arrays have of this PE's vertices. Returns how
/// many of their values stand for no vertex or no level.
template <class Id>
std::uint64_t take_here(const graph_part<Id>& rows, const search_tree& tree,
                        kernel::search_part<Id>& part) {
  std::uint64_t wrong = 0;
  part.prepare(rows);
  part.levels.assign(tree.levels, 0);
  const auto parents = tree.parent.local();
  const auto distances = tree.distance.local();
  for (std::uint64_t row = 0; row < parents.size(); ++row) {
    if (parents[row] != no_vertex && parents[row] >= rows.shape.vertices)
      ++wrong;
    else
      part.parents[row] = static_cast<Id>(parents[row]);
    if (distances[row] == unreached) continue;
    if (distances[row] >= tree.levels)
      ++wrong;
    else
      part.reached.push_back(static_cast<Id>(row));
  }
  std::ranges::stable_sort(part.reached, {}, [&](Id row) { return distances[row]; });
  for (const Id row : part.reached)
    if (distances[row] + 1 < tree.levels) ++part.levels[distances[row] + 1];
  std::partial_sum(part.levels.begin(), part.levels.end(), part.levels.begin());
  return wrong;
}

/// What the checks of all PEs have found.
struct findings {
  kernel::violations of_rules;
  std::uint64_t wrong_values = 0;
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;
};

template <class Id>
task<findings> check(distributed_graph<Id> rows, search_tree tree) {
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const auto look = [on, rows, tree]() -> task<findings> {
    findings found;
    const std::uint64_t wrong = take_here(rows.local(), tree, on.parts.local());
    const auto& reached_rows = on.parts->reached;
    const std::uint64_t reached = reached_rows.size();
    const std::uint64_t levels =
        reached_rows.empty() ? 0 : tree.distance.local()[reached_rows.back()] + std::uint64_t{1};
    found.wrong_values = co_await all_reduce(wrong, graph::k_sum);
    found.reached = co_await all_reduce(reached, graph::k_sum);
    found.levels = co_await all_reduce(levels, [](auto a, auto b) { return std::max(a, b); });
    if (found.wrong_values == 0) found.of_rules = co_await kernel::all_verify(on, tree.root);
    co_return found;
  };
  const findings found = co_await from_all_pes(look);
  co_await on.destroy();
  co_return found;
}

template <class Id>
task<> check_rows(distributed_graph<Id> rows, per_pe<stored_edges> stored) {
  const auto edges = [stored]() -> const stored_edges& { return stored.local(); };
  const input_differences found = co_await compare_with_input(rows, edges);
  if (found.total() != 0)
    fail(errc::wrong_result,
         "{} vertices of the graph have other neighbours than the edges of the "
         "input give them",
         std::max(found.neighbours, found.degrees));
}

void refuse(const findings& found, const search_tree& tree) {
  if (found.wrong_values != 0)
    fail(errc::wrong_result, "{} parents or distances of the tree are of no vertex or no level",
         found.wrong_values);
  for (int rule = 1; rule <= 5; ++rule) {
    if (found.of_rules.of_rule[rule] == 0) continue;
    fail(errc::wrong_result, "breadth-first search: rule {} of Graph500 is broken {} times", rule,
         found.of_rules.of_rule[rule]);
  }
  if (found.levels != tree.levels)
    fail(errc::wrong_result, "the tree has {} levels, and says that it has {}", found.levels,
         tree.levels);
  if (found.reached != tree.reached)
    fail(errc::wrong_result, "the tree has {} vertices, and says that it has {}", found.reached,
         tree.reached);
}

}  // namespace

task<search_tree> bfs(global_graph graph, vertex_id root) {
  static_cast<void>(graph.owner_of(root));  // refuses what is no vertex
  search_tree tree;
  tree.root = root;
  tree.parent = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices);
  tree.distance = co_await make_vertex_array<std::uint32_t>(graph);
  co_return co_await graph.on_ids([&](auto rows) { return search(rows, tree); });
}

task<search_tree> all_bfs(global_graph graph, vertex_id root) {
  co_await all_check_same(root, "all_bfs: root");
  const auto by_one = [graph, root] { return bfs(graph, root); };
  co_return co_await all_by_first(by_one);
}

task<> verify(global_graph graph, search_tree tree) {
  graph.check_result(tree.parent);
  graph.check_result(tree.distance);
  if (tree.levels > graph.vertices())
    fail(errc::wrong_result, "the tree says that it has {} levels, and the graph has {} vertices",
         tree.levels, graph.vertices());
  if (graph.keeps_edges()) {
    const auto stored = graph.kept_edges("verify");
    co_await graph.on_ids([&](auto rows) { return check_rows(rows, stored); });
  }
  const findings found = co_await graph.on_ids([&](auto rows) { return check(rows, tree); });
  refuse(found, tree);
}

task<std::vector<vertex_id>> search_tree::path_to(vertex_id vertex) const {
  const search_tree tree = *this;
  std::vector<vertex_id> path;
  if (vertex >= tree.parent.size())
    fail(errc::input, "there is no vertex {}: the graph has {}", vertex, tree.parent.size());
  while (path.size() < tree.levels) {
    const vertex_id parent = co_await read(tree.parent[vertex]);
    if (parent == no_vertex) break;
    path.push_back(vertex);
    if (parent == vertex) break;
    vertex = parent;
  }
  std::ranges::reverse(path);
  co_return path;
}

task<std::vector<std::uint64_t>> search_tree::level_sizes() const {
  const auto count = [tree = *this]() -> task<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> sizes(tree.levels);
    for (const std::uint32_t distance : tree.distance.local())
      if (distance < tree.levels) ++sizes[distance];
    co_return co_await all_reduce(std::move(sizes), graph::k_sum);
  };
  return from_all_pes(count);
}

task<> search_tree::write(std::string path) const {
  const auto describe = [tree = *this]() -> graph::described_vertices {
    const auto value = [tree](std::uint64_t row, std::size_t column) {
      return column == 0 ? tree.parent.written(row) : tree.distance.written(row);
    };
    return {{tree.parent.column("parent"), tree.distance.column("distance")}, value};
  };
  return graph::write_vertex_file(parent.layout(), std::move(path), describe);
}

task<> search_tree::destroy() const {
  const search_tree tree = *this;
  co_await tree.parent.destroy();
  co_await tree.distance.destroy();
}

}  // namespace atl
