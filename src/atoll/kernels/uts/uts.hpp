#pragma once
// UTS, Unbalanced Tree Search (Olivier et al., LCPC 2006): counts the vertices of a tree of which
// nothing is known but its root. A vertex says how many children it has, and the subtrees differ in
// size by orders of magnitude, so no division of the work made beforehand is fair.
//
// A task searches depth first and keeps to itself what it has found and not yet visited. When its
// PE has nothing else that an idle PE could take, it puts out its oldest siblings, which are
// nearest to the root, as stealable tasks.
//
// Verified are the numbers of vertices and leaves and the depth, against those published.

#include "atoll/atoll.hpp"
#include "atoll/collectives.hpp"
#include "atoll/random_graph.hpp"

#include <optional>

namespace atl::kernels::uts {

/// Who waits for whom: `vertex`, every task for the tasks it has put out; `whole`, one for all.
enum class join_at { whole, vertex };

struct parameters {
  tree_parameters tree;
  join_at join = join_at::whole;
  double seconds = 1;  ///< traverse the tree again until so much time has passed
};

struct outcome {
  double seconds = 0;
  std::uint64_t traversals = 0;
  tree_totals
      found{};  ///< by the last traversal, or the first that did not find what was published

  double rate() const { return static_cast<double>(found.nodes * traversals) / seconds; }

  /// What is wrong, in one line; empty when all is right.
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

/// What a PE needs for its part of the search, and what it has found.
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

/// Lets other PEs have a part of what this task holds back, if there is nothing else for them.
inline void put_out(searchers all, waiting_siblings& waiting) {
  constexpr std::size_t most = 64;
  if (!wants_stealable()) return;
  for (auto left = std::clamp<std::size_t>(waiting.size() / 2, 1, most);
       left > 0 && waiting.can_share(); --left) {
    spawn_stealable(search_task{all, waiting.take_oldest()});
  }
}

/// Visits these siblings and all below them.
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

/// Starts from what two PEs, or two traversals, have found.
inline tree_totals combined(const tree_totals& a, const tree_totals& b) {
  return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
}

/// What all PEs have found since they were asked before. One task calls it.
inline task<tree_totals> collect(searchers all) {
  tree_totals found;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto take = [all] { return std::exchange(all->found, tree_totals{}); };
    found = combined(found, co_await call(pe, take));
  }
  co_return found;
}

/// Searches the whole tree once; adds the seconds it took.
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

/// The whole benchmark once, called by the main task.
task<outcome> measure(parameters chosen);

}  // namespace atl::kernels::uts
