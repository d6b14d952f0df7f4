#pragma once
// The rules of the Graph500 specification for a search tree, checked over all PEs:
//   1. the parents make a tree: no cycles, the root is its own parent;
//   2. a vertex and its parent are one level apart;
//   3. the ends of every edge are at most one level apart (of an arc u -> v: v at most one below
//   u);
//   4. the tree holds the whole component of the root: no edge leaves it;
//   5. a vertex and its parent are joined by an edge of the graph.
// Levels are taken from the order in which the search reached the vertices, and rules 1 and 2 hold
// together when every vertex but the root is exactly one level below its parent. Those of other
// PEs' vertices come in windows of vertices (graph/distributed_graph.hpp).

#include "atoll/graph/build.hpp"
#include "atoll/kernels/bfs/search.hpp"

namespace atl::kernels::bfs {

inline constexpr std::uint32_t k_unreached = ~std::uint32_t{0};

/// How many violations of each rule all PEs found, and the first vertex where each is broken.
struct violations {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  std::uint64_t of_rule[6] = {};  ///< by number; [0] unused
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

/// The level of each vertex owned here, by row, or k_unreached.
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

/// The levels of the hubs, on every PE.
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

  /// `at_a_time`: vertices of which every PE has the levels. Every PE calls it.
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
    co_await all_barrier();  // what the others asked of this PE has been checked, too
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
    ++found_.of_rule[1];  // one was reached twice
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

  /// Those that are in the window.
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

  /// Its arcs into the window.
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

  /// Rule 5, asked where the arc is kept: an undirected graph has v -> parent beside parent -> v,
  /// and the row of v is here unless v is a hub.
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
    // Rows of undirected graphs are ordered by degrees, other rows by their targets.
    const auto wanted = static_cast<Id>(target);
    const bool found = graph_.arcs_are == orientation::undirected
                           ? std::find(targets.begin(), targets.end(), wanted) != targets.end()
                           : std::binary_search(targets.begin(), targets.end(), wanted);
    if (!found) found_.add(5, graph_.arcs_are == orientation::undirected ? source : target);
  }

  const graph_part<Id>& graph_;
  const search_part<Id>& tree_;
  std::uint64_t root_;
  std::vector<std::uint32_t> levels_;      // of the vertices owned here, by row
  std::vector<std::uint32_t> hub_levels_;  // by number of the hub
  std::vector<std::uint32_t> window_;      // of the vertices from begin_ on
  std::uint64_t begin_ = 0;
  per_pe<validator*> everywhere_;
  violations found_;
};

}  // namespace atl::kernels::bfs
