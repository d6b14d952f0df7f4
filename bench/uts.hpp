#pragma once
// UTS, Unbalanced Tree Search (Olivier et al., LCPC 2006), counts the vertices of a tree. The tree
// is generated from its root during the search. Subtrees differ in size by orders of magnitude, so
// a static division of the work is never balanced.
//
// A task searches depth-first and has a private stack of unvisited siblings. If its PE has fewer
// stealable tasks than there are other PEs, the task spawns stealable tasks for its oldest
// siblings. The oldest siblings are nearest to the root.
//
// The verification compares the depth, the number of vertices and the number of leaves with the
// published values.

#include "atoll/atoll.hpp"
#include "atoll/collectives.hpp"
#include "atoll/random_graph.hpp"

#include <optional>

namespace atl::bench::uts {

/// The scope that waits for tasks. With `vertex`, every task waits for the tasks that it has
/// spawned. With `whole`, one scope waits for all tasks.
enum class join_at { whole, vertex };

struct parameters {
  tree_parameters tree;
  join_at join = join_at::whole;
  double seconds = 1;  ///< the traversal is repeated until this time in seconds has passed
};

struct outcome {
  double seconds = 0;
  std::uint64_t traversals = 0;
  tree_totals found{};  ///< counts of the last traversal, or of the first wrong traversal

  double rate() const { return static_cast<double>(found.nodes * traversals) / seconds; }

  /// Returns the mistakes as one line, or an empty text if everything is right.
  std::string complaint(const tree_totals& published) const {
    std::string text;
    const auto expect = [&text](const char* what, std::uint64_t counted, std::uint64_t right) {
      if (counted == right) return;
      text += fmt::format("{}{}: {} instead of {}", text.empty() ? "" : "; ", what, counted, right);
    };
    expect("nodes", found.nodes, published.nodes);
    expect("leaves", found.leaves, published.leaves);
    expect("depth", found.depth, published.depth);
    return text;
  }
};

/// The data of a PE for its part of the search, and its results.
struct searcher {
  std::optional<random_tree> whole;
  join_at join = join_at::whole;
  tree_totals found{};
};
using searchers = per_pe<searcher>;

task<> search(searchers all, tree_siblings part);

/// A part of the tree that any PE may search.
struct search_task {
  searchers all;
  tree_siblings part;

  task<> operator()() const {
    if (all->join == join_at::vertex) return search_and_wait();
    return search(all, part);
  }

 private:
  task<> search_and_wait() const {
    const auto searching = [this] { return search(all, part); };
    co_await finish(searching);
  }
};

/// If this PE has fewer stealable tasks than there are other PEs, spawns stealable tasks for the
/// oldest siblings in `waiting`.
inline void put_out(searchers all, waiting_siblings& waiting) {
  constexpr std::size_t most = 64;
  if (!wants_stealable()) return;
  for (auto left = std::clamp<std::size_t>(waiting.size() / 2, 1, most);
       left > 0 && waiting.can_share(); --left) {
    spawn_stealable(search_task{all, waiting.take_oldest()});
  }
}

/// Visits the siblings `part` and all their descendants.
inline task<> search(searchers all, tree_siblings part) {
  constexpr std::uint64_t visits_a_slice = 1000;
  waiting_siblings waiting;
  waiting.push(part);
  searcher& here = all.local();
  while (true) {
    const std::uint64_t before = here.found.nodes;
    waiting.visit_some(*here.whole, visits_a_slice, here.found);
    charge(work::tree_node_hashed, here.found.nodes - before);
    put_out(all, waiting);
    if (waiting.empty()) co_return;
    co_await yield();
  }
}

/// Returns the sum of the counts of two parts of a tree.
inline tree_totals combined(const tree_totals& a, const tree_totals& b) {
  return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
}

/// Returns the sum of the results that all PEs have collected since the last call. One task calls
/// this function.
inline task<tree_totals> collect(searchers all) {
  tree_totals found;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto take = [all] { return std::exchange(all->found, tree_totals{}); };
    found = combined(found, co_await call(pe, take));
  }
  co_return found;
}

/// Searches the whole tree once and adds the time to `seconds`.
inline task<tree_totals> traverse(searchers all, double& seconds) {
  const random_tree& whole = *all->whole;
  const auto begin = now();
  const auto start = [=, first = whole.children_of_root()] {
    spawn_stealable(search_task{all, first});
  };
  co_await finish(start);
  seconds += seconds_since(begin);
  const tree_totals of_root{1, whole.children_of_root().count() == 0 ? 1U : 0U, 0};
  co_return combined(of_root, co_await collect(all));
}

/// Runs the benchmark once. The main task calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::uts
