#pragma once
// One breadth-first search, as a program calls it.

#include "atoll/base/error.hpp"
#include "atoll/kernels/bfs/run.hpp"
#include "atoll/memory/together.hpp"

namespace atl::kernels::bfs {

inline void refuse_wrong_tree(const violations& found) {
  for (int rule = 1; rule <= 5; ++rule) {
    if (found.of_rule[rule] == 0) continue;
    fail(errc::wrong_result, "breadth-first search: rule {} of Graph500 is broken {} times", rule,
         found.of_rule[rule]);
  }
}

/// Searches `graph` from `root` and checks the tree by the rules of Graph500 (validation.hpp).
/// One task calls it. Blocks the task. Throws `error`: input where the graph has no such vertex,
/// wrong_result where the tree breaks a rule.
template <class Id>
task<search_outcome> search_from(distributed_graph<Id> graph, std::uint64_t root) {
  const std::uint64_t vertices = graph->shape.vertices;
  if (root >= vertices)
    fail(errc::input, "the root {} is out of range (0 to {})", root, vertices - 1);
  const auto on = co_await workspace<Id>::make(graph);
  const auto search = [on, root] { return all_run(on, root, true); };
  const search_outcome outcome = co_await from_all_pes(search);
  co_await on.destroy();
  refuse_wrong_tree(outcome.found);
  co_return outcome;
}

// Compiled once for each width of ids, in bfs.cpp.
#define ATOLL_BFS_SEARCH(kind, Id)                                                                 \
  kind template task<search_outcome> search_from(distributed_graph<Id>, std::uint64_t);
ATOLL_BFS_SEARCH(extern, std::uint32_t)
ATOLL_BFS_SEARCH(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
