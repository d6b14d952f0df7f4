// Implements the functions of atoll/kernels/bfs.hpp. The search tree of the kernel is copied to
// arrays that are indexed by vertex. For verification, the arrays are copied back to a tree of the
// kernel.

#include "atoll/graph/input_check.hpp"
#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/bfs/roots.hpp"
#include "atoll/kernels/bfs/run.hpp"
#include "atoll/kernels/bfs/tree.hpp"
#include "atoll/kernels/common/repeated.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

namespace atl {
namespace {

namespace kernel = kernels::bfs;

template <class Id>
using tree_parts = per_pe<kernel::search_part<Id>>;

/// Fills this PE's part of the arrays of `tree` with the parents and distances that the kernel
/// found.
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
task<search_counts> search(kernel::workspace<Id> on, vertex_id root, progress_view progress) {
  const kernels::travelling_progress heard(progress);
  const auto run = [on, root, heard]() -> task<search_counts> {
    on.parts->progress = heard.teller("searching");
    on.parts->scanned_arcs = 0;
    const kernel::search_outcome outcome = co_await kernel::all_run(on, root, false);
    on.parts->progress = nullptr;
    const std::uint64_t looked_at = co_await all_reduce(on.parts->scanned_arcs, graph::k_sum);
    search_counts counts;
    counts.root = root;
    counts.reached = outcome.reached_vertices;
    counts.levels = outcome.levels;
    counts.edges = outcome.traversed_edges;
    counts.arcs_looked_at = looked_at;
    counts.seconds = outcome.seconds;
    co_return counts;
  };
  const search_counts counts = co_await from_all_pes(run);
  progress("searching", 1);
  co_return counts;
}

/// Returns a `search_tree` with the parents and distances that the last search of `on` found, and
/// with the counts `counts`.
template <class Id>
task<search_tree> arrays_of(global_graph graph, kernel::workspace<Id> on, search_counts counts,
                            site where) {
  search_tree tree;
  tree.root = counts.root;
  tree.reached = counts.reached;
  tree.levels = counts.levels;
  tree.edges = counts.edges;
  tree.arcs_looked_at = counts.arcs_looked_at;
  tree.seconds = counts.seconds;
  tree.parent = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices, where);
  tree.distance = co_await make_vertex_array<std::uint32_t>(graph, elements_are::numbers, where);
  co_await together([on, tree] { return keep_here(on.graph, on.parts, tree); });
  co_return tree;
}

/// Number of impossible values in the arrays of a search tree. An impossible value is a parent that
/// is not a vertex, or a distance that no level has.
struct wrong_values {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;  ///< the smallest vertex with an impossible value

  friend wrong_values operator+(const wrong_values& a, const wrong_values& b) {
    return {a.count + b.count, std::min(a.first, b.first)};
  }
};

/// Fills `part`, the kernel's form of this PE's part of the tree, from the parents and distances in
/// `tree`. Returns the number of impossible values, and the smallest vertex with an impossible
/// value.
template <class Id>
wrong_values take_here(const graph_part<Id>& rows, const search_tree& tree,
                       kernel::search_part<Id>& part) {
  wrong_values wrong;
  const auto count = [&](std::uint64_t row) {
    ++wrong.count;
    wrong.first = std::min(wrong.first, rows.first_vertex + row);
  };
  part.prepare(rows);
  part.levels.assign(tree.levels, 0);
  const auto parents = tree.parent.local();
  const auto distances = tree.distance.local();
  for (std::uint64_t row = 0; row < parents.size(); ++row) {
    if (parents[row] != no_vertex && parents[row] >= rows.shape.vertices)
      count(row);
    else
      part.parents[row] = static_cast<Id>(parents[row]);
    if (distances[row] == unreached) continue;
    if (distances[row] >= tree.levels)
      count(row);
    else
      part.reached.push_back(static_cast<Id>(row));
  }
  std::ranges::stable_sort(part.reached, {}, [&](Id row) { return distances[row]; });
  for (const Id row : part.reached)
    if (distances[row] + 1 < tree.levels) ++part.levels[distances[row] + 1];
  std::partial_sum(part.levels.begin(), part.levels.end(), part.levels.begin());
  return wrong;
}

/// The results of the check of a search tree, combined over all PEs.
struct findings {
  kernel::violations of_rules;
  wrong_values of_values;
  std::uint64_t reached = 0;
  std::uint64_t levels = 0;
};

template <class Id>
task<findings> check(distributed_graph<Id> rows, search_tree tree) {
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const auto look = [on, rows, tree]() -> task<findings> {
    findings found;
    const wrong_values wrong = take_here(rows.local(), tree, on.parts.local());
    const auto& reached_rows = on.parts->reached;
    const std::uint64_t reached = reached_rows.size();
    const std::uint64_t levels =
        reached_rows.empty() ? 0 : tree.distance.local()[reached_rows.back()] + std::uint64_t{1};
    found.of_values = co_await all_reduce(wrong, graph::k_sum);
    found.reached = co_await all_reduce(reached, graph::k_sum);
    found.levels = co_await all_reduce(levels, [](auto a, auto b) { return std::max(a, b); });
    if (found.of_values.count == 0) found.of_rules = co_await kernel::all_verify(on, tree.root);
    co_return found;
  };
  const findings found = co_await from_all_pes(look);
  co_await on.destroy();
  co_return found;
}

template <class Id>
task<std::vector<tree_level>> summarise(distributed_graph<Id> rows, search_tree tree,
                                        std::uint64_t levels, std::uint64_t examples) {
  using found_levels = std::pair<std::vector<std::uint64_t>, std::vector<kernel::level_example>>;
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const auto look = [on, rows, tree, levels, examples]() -> task<found_levels> {
    kernel::search_part<Id>& part = on.parts.local();
    static_cast<void>(take_here(rows.local(), tree, part));
    auto sizes = co_await kernel::all_level_sizes(part);
    auto best = co_await kernel::all_level_examples(rows.local(), part, levels, examples);
    co_return found_levels(std::move(sizes), std::move(best));
  };
  const auto [sizes, best] = co_await from_all_pes(look);
  co_await on.destroy();
  std::vector<tree_level> summary;
  for (const std::uint64_t size : sizes) summary.push_back({size, {}});
  for (const auto& example : best) summary[example.level].examples.push_back(example.vertex);
  co_return summary;
}

template <class Id>
task<vertex_degree> all_find_busiest(const graph_part<Id>& rows) {
  const auto of_hubs = co_await kernel::all_neighbours_of_hubs(rows);
  vertex_degree best;
  const auto look = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t row = first; row < last; ++row) {
      const std::uint64_t vertex = rows.first_vertex + row;
      const auto hub = rows.shape.hub_number(vertex);
      const std::uint64_t degree = hub ? of_hubs[*hub] : rows.row(row).size();
      if (best.vertex == no_vertex || degree > best.degree) best = {vertex, degree};
    }
  };
  co_await graph::in_stretches(0, rows.vertices, look);
  co_return co_await all_reduce(best, [](const vertex_degree& a, const vertex_degree& b) {
    if (a.degree != b.degree) return a.degree > b.degree ? a : b;
    return a.vertex < b.vertex ? a : b;
  });
}

template <class Id>
task<> check_rows(global_graph graph, distributed_graph<Id> rows, per_pe<stored_edges> stored,
                  site where) {
  const auto edges = [stored]() -> const stored_edges& { return stored.local(); };
  const input_differences found = co_await compare_with_input(rows, edges);
  if (found.total() == 0) co_return;
  if (found.first >= graph.vertices())
    fail(errc::wrong_result, "{}: the graph has {} edges more or fewer than the input",
         to_string(where), found.edges);
  const std::string name = co_await graph.name_of(found.first);
  fail(errc::wrong_result,
       "{}: vertex {}, the first of {}, has other neighbours in the graph than the edges of the "
       "input give it",
       to_string(where), name, std::max(found.neighbours, found.degrees));
}

/// Texts for the fault of a vertex, by the number of the broken rule.
constexpr std::string_view k_faults[] = {
    "",
    ("breaks the tree: the root alone is its own parent, at distance 0, and each other vertex has "
     "both a parent and a distance, or neither"),
    "is not one level below its parent",
    "has a neighbour that is more than one level away",
    "was not reached, although an edge leads to it from a vertex that was",
    "has no edge to its parent"};

std::string text_of(vertex_id parent) {
  return parent == no_vertex ? "none" : std::to_string(parent);
}

/// Returns a text such as "7 (parent 3, distance 2)". A parent that is not a vertex is written as a
/// number.
task<std::string> described(global_graph graph, search_tree tree, vertex_id vertex) {
  const vertex_id parent = co_await read(tree.parent[vertex]);
  const std::uint32_t distance = co_await read(tree.distance[vertex]);
  std::string of_parent = text_of(parent);
  if (parent < graph.vertices()) of_parent = co_await graph.name_of(parent);
  const std::string of_distance = distance == unreached ? "none" : std::to_string(distance);
  const std::string name = co_await graph.name_of(vertex);
  co_return fmt::format("vertex {} (parent {}, distance {})", name, of_parent, of_distance);
}

/// Throws atl::error (wrong_result) if `found` contains a violation of a rule.
task<> refuse_rules(global_graph graph, search_tree tree, kernel::violations found, site where) {
  for (int rule = 1; rule <= 5; ++rule) {
    if (found.of_rule[rule] == 0) continue;
    const std::string first = co_await described(graph, tree, found.first[rule]);
    fail(errc::wrong_result, "{}: {} {} (rule {} of Graph500, which is broken {} times)",
         to_string(where), first, k_faults[rule], rule, found.of_rule[rule]);
  }
}

task<> refuse(global_graph graph, search_tree tree, findings found, site where) {
  if (found.of_values.count != 0) {
    const std::string first = co_await described(graph, tree, found.of_values.first);
    fail(errc::wrong_result,
         "{}: {}, the first of {}, has a parent that is no vertex, or a distance beyond the {} "
         "levels of the tree",
         to_string(where), first, found.of_values.count, tree.levels);
  }
  co_await refuse_rules(graph, tree, found.of_rules, where);
  if (found.levels != tree.levels)
    fail(errc::wrong_result, "{}: the tree has {} levels, and says that it has {}",
         to_string(where), found.levels, tree.levels);
  if (found.reached != tree.reached)
    fail(errc::wrong_result, "{}: the tree has {} vertices, and says that it has {}",
         to_string(where), found.reached, tree.reached);
}

constexpr memory::call_of_one k_bfs{"bfs", "all_bfs"}, k_all_bfs{"all_bfs", nullptr},
    k_verify{"verify", "all_verify"}, k_sizes{"level_sizes", "all_level_sizes"},
    k_write{"write", "all_write"};

}  // namespace

// ---- repeated searches

struct repeated_searches::state {
  global_graph graph;
  std::variant<kernel::workspace<std::uint32_t>, kernel::workspace<std::uint64_t>> on;
  search_counts last;
};

task<repeated_searches> repeated_searches::make(global_graph graph, site where) {
  graph.check_neighbours(where);
  repeated_searches made;
  made.state_ = std::make_shared<state>();
  made.state_->graph = graph;
  const auto take = [to = made.state_.get()](auto rows) -> task<> {
    using id = typename decltype(rows->targets)::value_type;
    to->on = co_await kernel::workspace<id>::make(rows);
  };
  co_await graph.on_ids(take);
  co_return made;
}

task<search_counts> repeated_searches::search(vertex_id root, bfs_options options, site where) {
  state& own = kernels::state_of(state_, "repeated searches", where);
  static_cast<void>(own.graph.owner_of(root, where));  // throws an error if `root` is not a vertex
  own.last = co_await std::visit(
      [&](const auto& on) { return atl::search(on, root, options.progress); }, own.on);
  co_return own.last;
}

task<> repeated_searches::verify(site where) const {
  const state& own = kernels::state_of(state_, "repeated searches", where);
  own.graph.check(where);
  const auto check = [root = own.last.root](const auto& on) {
    return from_all_pes([on, root] { return kernel::all_verify(on, root); });
  };
  const kernel::violations found = co_await std::visit(check, own.on);
  if (found.total() == 0) co_return;
  const search_tree arrays = co_await tree(where);
  co_await refuse_rules(own.graph, arrays, found, where);
}

task<search_tree> repeated_searches::tree(site where) const {
  const state& own = kernels::state_of(state_, "repeated searches", where);
  return std::visit([&](const auto& on) { return arrays_of(own.graph, on, own.last, where); },
                    own.on);
}

task<> repeated_searches::destroy(site where) {
  const state& own = kernels::state_of(state_, "repeated searches", where);
  own.graph.check(where);
  co_await std::visit([](const auto& on) { return on.destroy(); }, own.on);
  state_.reset();
}

// ---- searches

task<search_tree> bfs(global_graph graph, vertex_id root, bfs_options options, site where) {
  static_cast<void>(graph.owner_of(root, where));  // throws an error if `root` is not a vertex
  const memory::named_call call(k_bfs, where);
  auto searches = co_await repeated_searches::make(graph, where);
  co_await searches.search(root, options, where);
  const search_tree tree = co_await searches.tree(where);
  co_await searches.destroy(where);
  co_return tree;
}

task<search_tree> all_bfs(global_graph graph, vertex_id root, bfs_options options, site where) {
  const memory::named_call call(k_all_bfs, where);
  co_await all_check_same(root, "all_bfs: root", where);
  const auto by_one = [=] { return bfs(graph, root, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<std::vector<vertex_id>> random_roots(global_graph graph, std::uint64_t count,
                                          std::uint64_t seed, site where) {
  graph.check_neighbours(where);
  const auto choose = [&](auto rows) {
    return from_all_pes(
        [rows, seed, count] { return kernel::all_choose_roots(rows.local(), seed, count); });
  };
  co_return co_await graph.on_ids(choose);
}

task<vertex_degree> vertex_with_most_neighbours(global_graph graph, site where) {
  graph.check_neighbours(where);
  const auto find = [](auto rows) {
    return from_all_pes([rows] { return all_find_busiest(rows.local()); });
  };
  co_return co_await graph.on_ids(find);
}

task<std::vector<tree_level>> levels_of(global_graph graph, search_tree tree, std::uint64_t levels,
                                        std::uint64_t examples, site where) {
  graph.check_result(tree.parent, where);
  graph.check_result(tree.distance, where);
  const auto look = [&](auto rows) { return summarise(rows, tree, levels, examples); };
  co_return co_await graph.on_ids(look);
}

task<> verify(global_graph graph, site where) {
  graph.check_neighbours(where);
  const auto stored = graph.kept_edges("verify", where);
  co_await graph.on_ids([&](auto rows) { return check_rows(graph, rows, stored, where); });
}

task<> verify(global_graph graph, search_tree tree, site where) {
  graph.check_result(tree.parent, where);
  graph.check_result(tree.distance, where);
  const memory::named_call call(k_verify, where);
  if (tree.levels > graph.vertices())
    fail(errc::wrong_result,
         "{}: the tree says that it has {} levels, and the graph has {} vertices", to_string(where),
         tree.levels, graph.vertices());
  if (graph.keeps_edges()) co_await verify(graph, where);
  const findings found = co_await graph.on_ids([&](auto rows) { return check(rows, tree); });
  co_await refuse(graph, tree, found, where);
}

task<> all_verify(global_graph graph, search_tree tree, site where) {
  return all_by_first([=] { return verify(graph, tree, where); }, where);
}

task<std::vector<vertex_id>> search_tree::path_to(vertex_id vertex, site where) const {
  const search_tree tree = *this;
  tree.parent.check(where);
  std::vector<vertex_id> path;
  if (vertex >= tree.parent.size())
    fail(errc::input, "{}: there is no vertex {}: the graph has {}", to_string(where), vertex,
         tree.parent.size());
  while (path.size() < tree.levels) {
    const vertex_id parent = co_await read(tree.parent[{vertex, where}], where);
    if (parent == no_vertex) break;
    path.push_back(vertex);
    if (parent == vertex) break;
    vertex = parent;
  }
  std::ranges::reverse(path);
  co_return path;
}

task<std::vector<std::uint64_t>> search_tree::level_sizes(site where) const {
  const search_tree tree = *this;
  tree.distance.check(where);
  const memory::named_call call(k_sizes, where);
  const auto count = [tree]() -> task<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> sizes(tree.levels);
    for (const std::uint32_t distance : tree.distance.local())
      if (distance < tree.levels) ++sizes[distance];
    co_return co_await all_reduce(std::move(sizes), graph::k_sum);
  };
  co_return co_await from_all_pes(count, where);
}

task<> search_tree::write(std::string path, site where) const {
  const search_tree tree = *this;
  tree.parent.check(where);
  tree.distance.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [tree]() -> graph::described_vertices {
    const auto value = [tree](std::uint64_t row, std::size_t column) {
      return column == 0 ? tree.parent.written(row) : tree.distance.written(row);
    };
    return {{tree.parent.column("parent"), tree.distance.column("distance")}, value};
  };
  co_await graph::write_vertex_file(tree.parent.layout(), std::move(path), describe);
}

task<> search_tree::destroy(site where) const {
  const search_tree tree = *this;
  co_await tree.parent.destroy(where);
  co_await tree.distance.destroy(where);
}

task<std::vector<std::uint64_t>> search_tree::all_level_sizes(site where) const {
  return all_by_first([tree = *this, where] { return tree.level_sizes(where); }, where);
}

task<> search_tree::all_write(std::string path, site where) const {
  const auto by_one = [tree = *this, path = std::move(path), where] {
    return tree.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> search_tree::all_destroy(site where) const {
  return all_by_first([tree = *this, where] { return tree.destroy(where); }, where);
}

}  // namespace atl
