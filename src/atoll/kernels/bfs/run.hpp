#pragma once
// Times searches of a graph that is already built, and checks their search trees.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/bfs/search.hpp"

namespace atl::kernels::bfs {

// The rules of the Graph500 specification for a search tree, which all PEs check together.
// Rule 1: the parents make a tree. There are no cycles, and the root is its own parent.
// Rule 2: the levels of a vertex and its parent differ by one.
// Rule 3: the levels of the two endpoints of an edge differ by at most one. In a directed graph,
// the target of an arc is at most one level below the source.
// Rule 4: the tree has the whole component of the root. No edge leads out of the tree.
// Rule 5: an edge of the graph joins a vertex and its parent.
//
// The level of a vertex is the step of the search in which the vertex was reached. If every vertex
// except the root is exactly one level below its parent, both rule 1 and rule 2 hold. Each PE
// gathers the levels of vertices on other PEs in windows, one window at a time. A window is a range
// of consecutive vertices (graph/distributed_graph.hpp).

inline constexpr std::uint32_t k_unreached = ~std::uint32_t{0};

/// The number of violations of each rule on all PEs, and the first vertex that breaks each rule.
struct violations {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  std::uint64_t of_rule[6] = {};  ///< indexed by the number of the rule; element 0 is not used
  std::uint64_t first[6] = {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere};

  void add(int rule, std::uint64_t vertex) {
    ++of_rule[rule];
    first[rule] = std::min(first[rule], vertex);
  }
  std::uint64_t total() const {
    return of_rule[1] + of_rule[2] + of_rule[3] + of_rule[4] + of_rule[5];
  }
  friend violations operator+(const violations& a, const violations& b) {
    violations sum;
    for (int rule = 1; rule <= 5; ++rule) {
      sum.of_rule[rule] = a.of_rule[rule] + b.of_rule[rule];
      sum.first[rule] = std::min(a.first[rule], b.first[rule]);
    }
    return sum;
  }
};

/// Returns the level of each owned vertex, by row. For a vertex that was not reached, the level is
/// k_unreached.
template <class Id>
std::vector<std::uint32_t> local_levels(const graph_part<Id>& graph, const search_part<Id>& tree) {
  std::vector<std::uint32_t> mine(graph.vertices, k_unreached);
  for (std::size_t level = 0; level < tree.levels.size(); ++level) {
    const auto end = level + 1 < tree.levels.size() ? tree.levels[level + 1] : tree.reached.size();
    for (auto i = tree.levels[level]; i < end; ++i) {
      mine[tree.reached[i]] = static_cast<std::uint32_t>(level);
    }
  }
  return mine;
}

/// Returns the level of each hub. `mine` has the levels of this PE's vertices, by row. Every PE
/// gets the levels of all hubs.
template <class Id>
task<std::vector<std::uint32_t>> all_hub_levels(const graph_part<Id>& graph,
                                                const std::vector<std::uint32_t>& mine) {
  std::vector<std::uint32_t> levels;
  for (const std::uint64_t hub : graph.shape.hubs) {
    const bool is_here = graph.shape.owner(hub) == my_pe();
    levels.push_back(is_here ? mine[hub - graph.first_vertex] : k_unreached);
  }
  co_return co_await all_reduce(std::move(levels), [](auto a, auto b) { return std::min(a, b); });
}

template <class Id>
class validator {
 public:
  validator(distributed_graph<Id> graph, per_pe<search_part<Id>> parts, std::uint64_t root,
            per_pe<validator*> everywhere)
      : graph_(graph.local()),
        tree_(parts.local()),
        root_(root),
        levels_(local_levels(graph_, tree_)),
        everywhere_(everywhere) {}

  /// Checks the tree. To save memory, each PE gathers the levels of only `at_a_time` vertices at a
  /// time. Every PE calls this function.
  task<violations> all_validate(std::uint64_t at_a_time) {
    everywhere_.local() = this;
    hub_levels_ = co_await all_hub_levels(graph_, levels_);
    co_await all_barrier();
    co_await check_tree();
    for (begin_ = 0; begin_ < graph_.shape.vertices; begin_ += at_a_time) {
      window_ = co_await graph::all_gather_window(graph_, levels_, begin_, at_a_time);
      co_await check_parents();
      co_await check_arcs();
    }
    std::vector<std::uint32_t>().swap(window_);
    co_await finish([this] { return check_parent_arcs(); });
    co_await all_barrier();  // wait for the checks that other PEs have asked this PE to make
    const auto found = found_;
    co_return co_await all_reduce(found, [](const auto& a, const auto& b) { return a + b; });
  }

 private:
  task<> check_tree() {
    const auto check = [this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) check_vertex(row);
    };
    co_await graph::in_stretches(0, graph_.vertices, check);
    const auto in_tree = tree_.parents.size() - std::ranges::count(tree_.parents, k_no_parent<Id>);
    if (in_tree == tree_.reached.size()) co_return;
    ++found_.of_rule[1];  // some vertex was reached twice
    if (found_.first[1] == violations::nowhere) found_.first[1] = root_;
  }

  void check_vertex(std::uint64_t row) {
    const std::uint64_t vertex = graph_.first_vertex + row;
    const auto level = levels_[row];
    const Id parent = tree_.parents[row];
    if ((parent == k_no_parent<Id>) != (level == k_unreached)) found_.add(1, vertex);
    if ((vertex == root_) != (level == 0)) found_.add(1, vertex);
    if (parent == k_no_parent<Id>) return;
    if (vertex == root_ && parent != root_) found_.add(1, vertex);
    if (vertex != root_ && parent >= graph_.shape.vertices) found_.add(2, vertex);
  }

  bool in_window(std::uint64_t vertex) const { return vertex - begin_ < window_.size(); }

  /// Checks the vertices whose parents are in the window, the range of vertices whose levels this
  /// PE has gathered.
  task<> check_parents() {
    const auto check = [this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) {
        const Id parent = tree_.parents[row];
        const std::uint64_t vertex = graph_.first_vertex + row;
        if (!in_window(parent) || vertex == root_) continue;
        if (window_[parent - begin_] + 1 != levels_[row]) found_.add(2, vertex);
      }
    };
    co_await graph::in_stretches(0, graph_.vertices, check);
  }

  task<> check_arcs() {
    const auto check = [this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) check_row(row);
    };
    co_await graph::in_stretches(0, graph_.rows(), check, k_rows);
  }

  /// Checks the arcs of `row` whose targets are in the window, the range of vertices whose levels
  /// this PE has gathered.
  void check_row(std::uint64_t row) {
    const bool both_ways = graph_.arcs_are == orientation::undirected;
    const auto from = row < graph_.vertices ? levels_[row] : hub_levels_[row - graph_.vertices];
    for (const Id target : graph_.row(row)) {
      if (!in_window(target)) continue;
      const auto to = window_[target - begin_];
      if (from == k_unreached) {
        if (both_ways && to != k_unreached) found_.add(4, graph_.vertex_of_row(row));
      } else if (to == k_unreached) {
        found_.add(4, target);
      } else if (to > from + 1 || (both_ways && from > to + 1)) {
        found_.add(3, graph_.vertex_of_row(row));
      }
    }
  }

  task<> check_parent_arcs() {
    for (std::uint64_t i = 0; i < tree_.reached.size();) {
      i = check_parents_while_room(i);
      co_await yield();
    }
  }

  std::uint64_t check_parents_while_room(std::uint64_t begin) {
    const std::uint64_t end = begin + std::min(k_rows, tree_.reached.size() - begin);
    std::uint64_t i = begin;
    for (; i < end && has_room(); ++i) check_parent_arc(tree_.reached[i]);
    return i;
  }

  /// Checks rule 5 for the vertex of `row`, on the PE that keeps the arc between the vertex and its
  /// parent. In an undirected graph, the check uses the arc from the vertex to the parent. If the
  /// vertex is not a hub, its owner has the arc to the parent, and no message is needed.
  void check_parent_arc(Id row) {
    const std::uint64_t vertex = graph_.first_vertex + row;
    const std::uint64_t parent = tree_.parents[row];
    if (vertex == root_ || parent >= graph_.shape.vertices) return;
    const bool undirected = graph_.arcs_are == orientation::undirected;
    const std::uint64_t source = undirected ? vertex : parent;
    const std::uint64_t target = undirected ? parent : vertex;
    const auto& shape = graph_.shape;
    const int keeper = shape.owner(shape.hub_number(source) ? target : source);
    if (keeper == my_pe()) {
      check_arc(source, target);
    } else {
      async_call(keeper,
                 [all = everywhere_, source, target] { all.local()->check_arc(source, target); });
    }
  }

  void check_arc(std::uint64_t source, std::uint64_t target) {
    const auto hub = graph_.shape.hub_number(source);
    const auto targets = graph_.row(hub ? graph_.vertices + *hub : source - graph_.first_vertex);
    // A binary search is possible only in rows of directed graphs, which are ordered by target.
    // Rows of undirected graphs are ordered by degree.
    const auto wanted = static_cast<Id>(target);
    const bool found = graph_.arcs_are == orientation::undirected
                           ? std::find(targets.begin(), targets.end(), wanted) != targets.end()
                           : std::binary_search(targets.begin(), targets.end(), wanted);
    if (!found) found_.add(5, graph_.arcs_are == orientation::undirected ? source : target);
  }

  const graph_part<Id>& graph_;
  const search_part<Id>& tree_;
  std::uint64_t root_;
  std::vector<std::uint32_t> levels_;      // levels of the vertices owned here, by row
  std::vector<std::uint32_t> hub_levels_;  // levels of the hubs, by number of the hub
  std::vector<std::uint32_t> window_;      // levels of the vertices from begin_ on
  std::uint64_t begin_ = 0;
  per_pe<validator*> everywhere_;
  violations found_;
};

// The next functions search a graph that is already built, and measure the time. The functions
// return the results that Graph500 requires.

/// The results of one search, the same on all PEs.
struct search_outcome {
  std::uint64_t root = 0;
  double seconds = 0;
  std::uint64_t levels = 0;
  std::uint64_t reached_vertices = 0;
  /// Number of edges of the input in the component of the root. Duplicates and self loops are
  /// counted, too. In a directed graph, the edges that leave a reached vertex are counted.
  std::uint64_t traversed_edges = 0;
  violations found;  ///< filled if the search was verified

  double rate() const { return static_cast<double>(traversed_edges) / seconds; }
};

/// The graph and the search data on every PE, for vertex numbers of type Id.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<search_part<Id>> parts;
  per_pe<validator<Id>*> validators;
  shared_bits bits;

  static task<workspace> make(distributed_graph<Id> graph);
  task<> destroy() const;
};

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  workspace made;
  made.graph = graph;
  made.parts = co_await per_pe<search_part<Id>>::make();
  made.validators = co_await per_pe<validator<Id>*>::make();
  made.bits = co_await shared_bits::make(graph->shape.vertices);
  co_return made;
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await bits.destroy();
  co_await parts.destroy();
  co_await validators.destroy();
}

/// Returns this PE's contribution to the numbers that describe the search. `reached_hubs` has the
/// numbers of all reached hubs, because every PE counts the edges in its part of the hubs' rows.
template <class Id>
search_outcome local_counts(const graph_part<Id>& graph, const search_part<Id>& tree,
                            const std::vector<std::uint64_t>& reached_hubs) {
  search_outcome counts;
  counts.reached_vertices = tree.reached.size();
  for (const Id row : tree.reached) counts.traversed_edges += graph.input_arcs[row];
  for (const auto hub : reached_hubs) {
    counts.traversed_edges += graph.input_arcs[graph.vertices + hub];
  }
  return counts;
}

/// Returns the numbers of the hubs that were reached. Every PE gets the numbers of all reached
/// hubs.
template <class Id>
task<std::vector<std::uint64_t>> all_reached_hubs(const graph_part<Id>& graph,
                                                  const search_part<Id>& tree) {
  std::vector<std::uint64_t> mine;
  for (std::uint64_t h = 0; h < graph.shape.hubs.size(); ++h) {
    const std::uint64_t vertex = graph.shape.hubs[h];
    if (graph.shape.owner(vertex) == my_pe() &&
        tree.parents[vertex - graph.first_vertex] != k_no_parent<Id>) {
      mine.push_back(h);
    }
  }
  std::vector<std::uint64_t> all;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(mine))) {
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  }
  co_return all;
}

/// Checks the tree of the last search, which began at `root`. To save memory, each PE gathers the
/// levels of only `at_a_time` vertices at a time. Every PE calls this function.
template <class Id>
task<violations> all_verify(workspace<Id> on, std::uint64_t root, std::uint64_t at_a_time) {
  validator<Id> checks(on.graph, on.parts, root, on.validators);
  const violations found = co_await checks.all_validate(at_a_time);
  co_await all_barrier();
  co_return found;
}

/// Checks the tree of the last search, which began at `root`. Each PE gathers the levels of a range
/// of vertices at a time; `graph::window_of` chooses the size of the range. Every PE calls this
/// function.
template <class Id>
task<violations> all_verify(workspace<Id> on, std::uint64_t root) {
  const auto all = static_cast<std::uint64_t>(pes());
  return all_verify(on, root, graph::window_of(on.graph->shape.vertices, all));
}

/// Searches from `root`. The time begins when all PEs are ready to clear the last search, and ends
/// when all PEs have finished. `frontier` is a rule that determines the next frontier
/// (`found_is_frontier` in search.hpp explains rules). Every PE calls this function.
template <class Id, class Frontier = found_is_frontier>
task<search_outcome> all_run(workspace<Id> on, std::uint64_t root, bool verify,
                             Frontier frontier = {}) {
  const graph_part<Id>& graph = on.graph.local();
  search_part<Id>& tree = on.parts.local();
  if (!tree.prepared) {
    tree.prepare(graph);
    tree.arcs_of_hubs = co_await all_neighbours_of_hubs(graph);
  }
  co_await all_barrier();
  const auto begin = now();
  tree.start();
  search<Id> kernel(on.graph, on.parts, on.bits);
  const std::uint64_t levels = co_await kernel.all_search(root, frontier);
  const double seconds = seconds_since(begin);

  const auto hubs = co_await all_reached_hubs(graph, tree);
  const search_outcome mine = local_counts(graph, tree, hubs);
  search_outcome all;
  all.root = root;
  all.levels = levels;
  all.seconds = co_await all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
  const auto sum = [](auto a, auto b) { return a + b; };
  all.reached_vertices = co_await all_reduce(mine.reached_vertices, sum);
  all.traversed_edges = co_await all_reduce(mine.traversed_edges, sum);
  if (graph.arcs_are == orientation::undirected) all.traversed_edges /= 2;
  if (verify) all.found = co_await all_verify(on, root);
  co_return all;
}

/// Returns the harmonic mean of the searches' rates in edges per second. Graph500 reports this
/// mean.
inline double harmonic_mean_rate(std::span<const search_outcome> searches) {
  double inverse = 0;
  for (const auto& one : searches) inverse += 1 / one.rate();
  return static_cast<double>(searches.size()) / inverse;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in bfs.cpp.
#define ATOLL_BFS_RUN(kind, Id)                                                                    \
  kind template struct workspace<Id>;                                                              \
  kind template task<violations> all_verify(workspace<Id>, std::uint64_t, std::uint64_t);          \
  kind template task<search_outcome> all_run(workspace<Id>, std::uint64_t, bool, found_is_frontier);
ATOLL_BFS_RUN(extern, std::uint32_t)
ATOLL_BFS_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
