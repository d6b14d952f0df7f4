// Implements the functions of atoll/kernels/shortest_paths.hpp.

#include "atoll/kernels/common/repeated.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/shortest_paths.hpp"
#include "atoll/kernels/shortest_paths/run.hpp"
#include "atoll/kernels/shortest_paths/validation.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace atl {
namespace {

namespace kernel = kernels::shortest_paths;

/// Returns true if the search uses the weights of arcs. Throws `error` (input) if the search cannot
/// use the weights of the graph.
bool uses_weights(const global_graph& graph, bool unweighted, site where) {
  if (unweighted || !(graph.has_weights() || graph.leaves_out_weights())) return false;
  if (graph.has_arc_weights() && graph.parallel() == parallel_edges::least) return true;
  fail(errc::input,
       "{}: shortest_paths: the edges have weights, and arcs do not have the least of them: set "
       "arc_weights of graph_options, and parallel to parallel_edges::least; or set unweighted",
       to_string(where));
}

/// Throws `error` (input) if an arc has a weight that is negative, infinite or not a number.
task<> check_weights(global_graph graph, kernel::weight_facts facts, site where) {
  const std::string of_file = graph.negative_weight();
  if (facts.bad_from == no_vertex) {
    if (of_file.empty()) co_return;
    fail(errc::input, "{}: shortest_paths: {}", to_string(where), of_file);
  }
  auto [from, to] = std::pair(facts.bad_from, facts.bad_to);
  if (graph.on_ids([](auto rows) { return rows->arcs_are; }) == orientation::in)
    std::swap(from, to);
  const std::string from_name = co_await graph.name_of(from);
  const std::string to_name = co_await graph.name_of(to);
  const char* const complaint =
      facts.bad_weight < 0 ? "no edge may weigh less than 0" : "weights are finite numbers";
  fail(errc::input, "{}: shortest_paths: the edge from {} to {} weighs {}, and {}{}{}",
       to_string(where), from_name, to_name, facts.bad_weight, complaint,
       of_file.empty() ? "" : "; ", of_file);
}

double width_of(const shortest_paths_options& options, const kernel::weight_facts& facts,
                std::uint64_t vertices) {
  if (options.width == 0) return kernel::width_for(facts, vertices);
  constexpr double least = std::numeric_limits<double>::min() * 4;
  if (!(options.width >= least && std::isfinite(options.width)))
    fail(errc::input, "width: {} is out of range: it is a finite number above 0", options.width);
  return options.width;
}

/// Copies the distances and parents of this PE's vertices to the arrays of `tree`.
template <class Id>
task<> keep_here(kernel::workspace<Id> on, path_tree tree) {
  const auto distances = tree.distance.local();
  const auto parents = tree.parent.local();
  const auto found = on.distances.local();
  const auto& found_parents = on.parts->parents;
  const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      distances[row] = found[row];
      const Id parent = found_parents[row];
      parents[row] = parent == kernel::k_no_parent<Id> ? no_vertex : vertex_id{parent};
    }
  };
  co_await graph::in_stretches(0, parents.size(), keep);
}

/// Differences between the results of all PEs and the expected results.
struct differences {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;  ///< the smallest vertex with a wrong result
  double has = 0, needs = 0;    ///< distance of the vertex `first`, and its expected distance
  vertex_id has_parent = no_vertex, needs_parent = no_vertex;
  std::uint64_t reached = 0;  ///< number of vertices with a finite expected distance
  double farthest = 0;

  static differences of_both(const differences& a, const differences& b) {
    differences both = a.first <= b.first ? a : b;
    both.count = a.count + b.count;
    both.reached = a.reached + b.reached;
    both.farthest = std::max(a.farthest, b.farthest);
    return both;
  }
};

/// Compares the distances and parents of `tree` with the results of a serial algorithm. Every PE
/// calls this function.
task<differences> all_compare(path_tree tree, per_pe<stored_edges> stored, const partition& shape,
                              orientation arcs_are, bool weighted) {
  const auto how = weighted ? kernels::merged_weight::smallest : kernels::merged_weight::none;
  const auto serial =
      co_await kernels::all_serial_graph(stored.local(), shape.vertices, arcs_are, how);
  kernel::serial_paths paths(serial);
  if (my_pe() == 0) paths.find(tree.root);
  const auto distances = co_await kernels::all_deal_values(shape, paths.distances());
  const auto parents = co_await kernels::all_deal_values(shape, paths.parents());
  differences mine;
  const auto found = tree.distance.local();
  const auto found_parents = tree.parent.local();
  for (std::size_t row = 0; row < found.size(); ++row) {
    if (distances[row] != infinite_distance) {
      ++mine.reached;
      mine.farthest = std::max(mine.farthest, distances[row]);
    }
    if (found[row] == distances[row] && found_parents[row] == parents[row]) continue;
    if (mine.count++ != 0) continue;
    mine.first = tree.distance.first_vertex() + row;
    mine.has = found[row], mine.needs = distances[row];
    mine.has_parent = found_parents[row], mine.needs_parent = parents[row];
  }
  co_return co_await all_reduce(mine, &differences::of_both);
}

/// Returns a text such as "distance 2.5 and parent 7".
task<std::string> described(global_graph graph, double distance, vertex_id parent) {
  std::string of_parent = parent == no_vertex ? "none" : std::to_string(parent);
  if (parent < graph.vertices()) of_parent = co_await graph.name_of(parent);
  co_return fmt::format("distance {} and parent {}", distance, of_parent);
}

constexpr memory::call_of_one k_paths{"shortest_paths", "all_shortest_paths"},
    k_all_paths{"all_shortest_paths", nullptr}, k_verify{"verify", "all_verify"},
    k_write{"write", "all_write"};

}  // namespace

// ---- repeated searches

struct repeated_shortest_paths::state {
  global_graph graph;
  shortest_paths_options options;
  kernel::weight_facts weights;
  bool weighted = false;
  double width = 1;
  std::variant<kernel::workspace<std::uint32_t>, kernel::workspace<std::uint64_t>> on;
  path_counts last;
};

task<repeated_shortest_paths>
repeated_shortest_paths::make(global_graph graph, shortest_paths_options options, site where) {
  graph.check_whole_rows("shortest_paths", where);
  repeated_shortest_paths made;
  made.state_ = std::make_shared<state>();
  state& own = *made.state_;
  own.graph = graph;
  own.options = options;
  own.weighted = uses_weights(graph, options.unweighted, where);
  const auto look = [weighted = own.weighted](auto rows) {
    return from_all_pes(
        [rows, weighted] { return kernel::all_look_at_weights(rows.local(), weighted); });
  };
  own.weights = co_await graph.on_ids(look);
  if (own.weighted) co_await check_weights(graph, own.weights, where);
  own.width = width_of(options, own.weights, graph.vertices());
  const auto take = [&own, most = graph.layout()->most_of_a_pe()]<class Id>(
                        distributed_graph<Id> rows) -> task<> {
    own.on = co_await kernel::workspace<Id>::make(rows, most);
  };
  co_await graph.on_ids(take);
  co_return made;
}

task<path_counts> repeated_shortest_paths::search(vertex_id root, site where) {
  state& own = kernels::state_of(state_, "repeated shortest paths", where);
  static_cast<void>(own.graph.owner_of(root, where));  // throws an error if `root` is not a vertex
  const kernels::travelling_progress heard(own.options.progress);
  const auto run = [&own, root, heard]<class Id>(kernel::workspace<Id> on) {
    const auto on_each = [on, root, heard, width = own.width,
                          weighted = own.weighted]() -> task<kernel::run_outcome> {
      on.parts->progress = heard.teller("searching");
      const auto outcome = co_await kernel::all_run(on, root, width, weighted);
      on.parts->progress = nullptr;
      co_return outcome;
    };
    return from_all_pes(on_each);
  };
  const kernel::run_outcome found = co_await std::visit(run, own.on);
  constexpr double inexact = 0x1p53;
  if (own.weights.are_integers && found.farthest >= inexact)
    fail(errc::input,
         "{}: shortest_paths: a distance is {}, and sums of integer weights are exact below 2^53",
         to_string(where), found.farthest);
  own.options.progress("searching", 1);
  own.last = {root,         found.reached,        found.farthest, own.width,
              found.rounds, found.arcs_looked_at, found.seconds};
  co_return own.last;
}

task<path_tree> repeated_shortest_paths::tree(site where) const {
  const state& own = kernels::state_of(state_, "repeated shortest paths", where);
  path_tree tree;
  tree.root = own.last.root;
  tree.unweighted = !own.weighted;
  tree.reached = own.last.reached;
  tree.farthest = own.last.farthest;
  tree.width = own.last.width;
  tree.rounds = own.last.rounds;
  tree.arcs_looked_at = own.last.arcs_looked_at;
  tree.seconds = own.last.seconds;
  tree.distance = co_await make_vertex_array<double>(own.graph, elements_are::numbers, where);
  tree.parent = co_await make_vertex_array<vertex_id>(own.graph, elements_are::vertices, where);
  const auto keep = [tree](const auto& on) {
    return together([on, tree] { return keep_here(on, tree); });
  };
  co_await std::visit(keep, own.on);
  co_return tree;
}

task<> repeated_shortest_paths::destroy(site where) {
  const state& own = kernels::state_of(state_, "repeated shortest paths", where);
  own.graph.check(where);
  co_await std::visit([](const auto& on) { return on.destroy(); }, own.on);
  state_.reset();
}

// ---- searches

task<path_tree> shortest_paths(global_graph graph, vertex_id root, shortest_paths_options options,
                               site where) {
  static_cast<void>(graph.owner_of(root, where));  // throws an error if `root` is not a vertex
  const memory::named_call call(k_paths, where);
  auto searches = co_await repeated_shortest_paths::make(graph, options, where);
  std::exception_ptr failure;
  path_tree tree;
  try {
    co_await searches.search(root, where);
    tree = co_await searches.tree(where);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await searches.destroy(where);
  if (failure) std::rethrow_exception(failure);
  co_return tree;
}

task<path_tree> all_shortest_paths(global_graph graph, vertex_id root,
                                   shortest_paths_options options, site where) {
  const memory::named_call call(k_all_paths, where);
  co_await all_check_same(root, "all_shortest_paths: root", where);
  const auto by_one = [=] { return shortest_paths(graph, root, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, path_tree tree, site where) {
  graph.check_result(tree.distance, where);
  graph.check_result(tree.parent, where);
  const memory::named_call call(k_verify, where);
  static_cast<void>(graph.owner_of(tree.root, where));
  const auto compare = [tree, stored = graph.kept_edges("verify", where), layout = graph.layout(),
                        arcs_are = graph.on_ids([](auto rows) { return rows->arcs_are; })] {
    return all_compare(tree, stored, layout->shape, arcs_are, !tree.unweighted);
  };
  const differences wrong = co_await from_all_pes(compare, where);
  if (wrong.count != 0) {
    const std::string vertex = co_await graph.name_of(wrong.first);
    const std::string has = co_await described(graph, wrong.has, wrong.has_parent);
    const std::string needs = co_await described(graph, wrong.needs, wrong.needs_parent);
    fail(errc::wrong_result,
         "{}: vertex {} has {}, and a serial program finds {}; {} of {} vertices are wrong",
         to_string(where), vertex, has, needs, wrong.count, graph.vertices());
  }
  if (wrong.reached != tree.reached || wrong.farthest != tree.farthest)
    fail(errc::wrong_result,
         "{}: {} vertices are reached, up to distance {}, and the tree says {}, up to {}",
         to_string(where), wrong.reached, wrong.farthest, tree.reached, tree.farthest);
}

task<> all_verify(global_graph graph, path_tree tree, site where) {
  return all_by_first([=] { return verify(graph, tree, where); }, where);
}

task<std::vector<vertex_id>> path_tree::path_to(vertex_id vertex, site where) const {
  const path_tree tree = *this;
  tree.parent.check(where);
  std::vector<vertex_id> path;
  if (vertex >= tree.parent.size())
    fail(errc::input, "{}: there is no vertex {}: the graph has {}", to_string(where), vertex,
         tree.parent.size());
  while (path.size() < tree.reached) {
    const vertex_id parent = co_await read(tree.parent[{vertex, where}], where);
    if (parent == no_vertex) break;
    path.push_back(vertex);
    if (parent == vertex) break;
    vertex = parent;
  }
  std::ranges::reverse(path);
  co_return path;
}

task<> path_tree::write(std::string path, site where) const {
  const path_tree tree = *this;
  tree.distance.check(where);
  tree.parent.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [tree]() -> graph::described_vertices {
    const auto value = [tree](std::uint64_t row, std::size_t column) {
      return column == 0 ? tree.distance.written(row) : tree.parent.written(row);
    };
    return {{tree.distance.column("distance"), tree.parent.column("parent")}, value};
  };
  co_await graph::write_vertex_file(tree.distance.layout(), std::move(path), describe);
}

task<> path_tree::destroy(site where) const {
  const path_tree tree = *this;
  co_await tree.distance.destroy(where);
  co_await tree.parent.destroy(where);
}

task<> path_tree::all_write(std::string path, site where) const {
  const auto by_one = [tree = *this, path = std::move(path), where] {
    return tree.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> path_tree::all_destroy(site where) const {
  return all_by_first([tree = *this, where] { return tree.destroy(where); }, where);
}

}  // namespace atl
