#pragma once
// UTS in memory: the tree lies in global memory before it is searched, its vertices far from each
// other, so that the search is made of unpredictable reads, most of them remote.
//
// A task reads siblings one after the other: a message and its answer where another PE owns the
// vertex. Many siblings are halved. When a sibling has children the task goes on with them, and the
// rest of the siblings becomes a stealable task. While a task waits others run: latency is hidden
// by tasks, not by a clever order.

#include "atoll/kernels/uts.hpp"
#include "atoll/kernels/uts_built_tree.hpp"
#include "atoll/memory/per_pe.hpp"

namespace atl::kernels::uts::in_memory {

/// What a PE has found.
struct findings {
  totals found{};
  std::uint64_t remote_reads = 0;
};

/// What a PE needs for its part of the search, and what it has found.
struct searcher {
  built_tree tree;
  join_at join = join_at::whole;
  findings mine{};
};
using searchers = per_pe<searcher>;

/// Siblings that any PE may search.
struct search_task {
  searchers all;
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t depth;

  task<> operator()() const;
};

/// Leaves the upper half of the siblings to a new task as long as there are many: the first is the
/// largest, and stolen first.
inline void put_out_halves(search_task& siblings) {
  constexpr std::uint32_t few = 8;
  while (siblings.count > few) {
    const std::uint32_t half = siblings.count / 2;
    siblings.count -= half;
    spawn_stealable(
        search_task{siblings.all, siblings.first + siblings.count, half, siblings.depth});
  }
}

/// Counts the vertex in; false where it is a leaf.
inline bool count_vertex(searcher& here, vertex met, std::uint32_t depth) {
  charge(work::vertex_visited, 1);
  totals& found = here.mine.found;
  ++found.nodes;
  found.leaves += met.children == 0 ? 1 : 0;
  found.depth = std::max<std::uint64_t>(found.depth, depth);
  return met.children > 0;
}

inline task<> search(search_task siblings) {
  searcher& here = siblings.all.local();
  put_out_halves(siblings);
  while (siblings.count > 0) {
    const global_address<vertex> at = here.tree[siblings.first++];
    --siblings.count;
    charge(work::place_scrambled, 1);
    here.mine.remote_reads += at.is_local() ? 0 : 1;
    co_await prefetch(at);
    const vertex met = co_await read(at);
    if (!count_vertex(here, met, siblings.depth)) continue;
    if (siblings.count > 0) spawn_stealable(siblings);
    siblings = {siblings.all, met.first_child, met.children, siblings.depth + 1};
    if (here.join == join_at::vertex) {
      const auto below = [siblings] { spawn_stealable(siblings); };
      co_await finish(below);
      co_return;
    }
    put_out_halves(siblings);
  }
}

inline task<> search_task::operator()() const { return search(*this); }

/// What all PEs have found since they were asked before. One task calls it.
inline task<findings> collect(searchers all) {
  findings sum;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto take = [all] { return std::exchange(all->mine, findings{}); };
    const findings part = co_await call(pe, take);
    sum.found = combined(sum.found, part.found);
    sum.remote_reads += part.remote_reads;
  }
  co_return sum;
}

struct outcome : uts::outcome {
  std::uint64_t remote_reads = 0;  ///< of the last traversal, which reads every vertex once
  double seconds_to_build = 0;
  std::uint64_t bytes_peak = 0;  ///< of global memory

  double share_of_remote_reads() const {
    return static_cast<double>(remote_reads) / static_cast<double>(found.nodes);
  }
};

inline double seconds_since(transport::nanoseconds begin) {
  return static_cast<double>(this_pe().transport->now() - begin) * 1e-9;
}

/// One traversal. Returns when all that it found has been counted. One task calls it.
inline task<> search_whole(searchers all) {
  const auto start = [all] { spawn_stealable(search_task{all, 0, 1, 0}); };
  co_await finish(start);
}

/// Searches until so many seconds have passed; finds the same each time.
inline task<> search_again_and_again(searchers all, const parameters& chosen, outcome& result) {
  bool right = true;
  do {
    const auto begin = this_pe().transport->now();
    co_await search_whole(all);
    result.seconds += seconds_since(begin);
    ++result.traversals;
    const findings sum = co_await collect(all);
    result.remote_reads = sum.remote_reads;
    if (right) result.found = sum.found;
    right = right && sum.found == chosen.tree.published;
  } while (result.seconds < chosen.seconds);
}

/// What every PE needs to search the tree. One task calls it.
inline task<searchers> make_searchers(built_tree tree, join_at join) {
  const searchers all = co_await searchers::make();
  const auto prepare = [=] {
    all->tree = tree;
    all->join = join;
  };
  co_await on_all_pes(prepare);
  co_return all;
}

/// The whole benchmark once, called by the main task. The parameters must say how large the tree
/// is. Throws atl::error (out_of_memory).
inline task<outcome> measure(parameters chosen) {
  outcome result;
  const auto begin = this_pe().transport->now();
  const built_tree tree = co_await build(chosen.tree, job_settings().seed);
  result.seconds_to_build = seconds_since(begin);
  const searchers all = co_await make_searchers(tree, chosen.join);
  co_await search_again_and_again(all, chosen, result);
  result.bytes_peak = this_pe().counters->global_bytes_peak * static_cast<std::uint64_t>(pes());
  co_await all.destroy();
  co_await tree.vertices.destroy();
  co_return result;
}

}  // namespace atl::kernels::uts::in_memory
