#pragma once
// UTS in memory. The tree is in global memory before the search begins, and its vertices are far
// apart. The search therefore reads vertices in an unpredictable order, and most reads are remote.
//
// A task has reads of a few siblings in flight at the same time. If another PE owns a vertex,
// reading takes a message and its answer. A task with many siblings moves half of them to a new
// task. The task continues with the children of one sibling, and the children of each other sibling
// become a stealable task. While a task waits, other tasks run, so many concurrent tasks hide the
// latency.

#include "atoll/collectives.hpp"
#include "atoll/delegates.hpp"
#include "bench/uts.hpp"
#include "bench/uts_built_tree.hpp"

#include <array>
#include <span>

namespace atl::bench::uts::in_memory {

/// The results of a PE. In a modelled network, the results include the time for which the messages
/// of the PE occupied the link.
struct findings {
  tree_totals found{};
  std::uint64_t remote_reads = 0;
  nanoseconds network_taken = 0;
};

/// The data of a PE for its part of the search, and its results.
struct searcher {
  built_tree tree;
  join_at join = join_at::whole;
  findings mine{};
};
using searchers = per_pe<searcher>;

/// A range of siblings that any PE may search.
struct search_task {
  searchers all;
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t depth;

  task<> operator()() const;

 private:
  task<> search_and_wait() const;
};

inline constexpr std::uint32_t k_read_at_once = 8;

/// While there are many siblings, moves the upper half to a new task. The largest part is spawned
/// first, and other PEs steal the first task first.
inline void put_out_halves(search_task& siblings) {
  while (siblings.count > k_read_at_once) {
    const std::uint32_t half = siblings.count / 2;
    siblings.count -= half;
    spawn_stealable(
        search_task{siblings.all, siblings.first + siblings.count, half, siblings.depth});
  }
}

/// A few siblings, stored in the frame of their task.
struct few_vertices {
  std::array<global_address<vertex>, k_read_at_once> places;
  std::array<vertex, k_read_at_once> met;
};

/// Returns the places of the siblings in global memory.
inline std::span<const global_address<vertex>> find(searcher& here, const search_task& siblings,
                                                    few_vertices& few) {
  for (std::uint32_t i = 0; i < siblings.count; ++i) {
    few.places[i] = here.tree[siblings.first + i];
    here.mine.remote_reads += few.places[i].is_local() ? 0 : 1;
  }
  charge(work::place_scrambled, siblings.count);
  return {few.places.data(), siblings.count};
}

/// Counts the siblings. Makes a task for the children of each sibling except one. Returns the
/// children of the remaining sibling.
inline search_task go_down(searcher& here, const search_task& siblings, const few_vertices& few) {
  search_task next{siblings.all, 0, 0, siblings.depth + 1};
  tree_totals& found = here.mine.found;
  charge(work::vertex_visited, siblings.count);
  found.nodes += siblings.count;
  found.depth = std::max<std::uint64_t>(found.depth, siblings.depth);
  for (std::uint32_t i = 0; i < siblings.count; ++i) {
    const vertex& met = few.met[i];
    found.leaves += met.children == 0 ? 1 : 0;
    if (met.children == 0) continue;
    if (next.count > 0) spawn_stealable(next);
    next.first = met.first_child;
    next.count = met.children;
  }
  return next;
}

inline task<> search(search_task siblings) {
  searcher& here = siblings.all.local();
  few_vertices few;
  while (siblings.count > 0) {
    put_out_halves(siblings);
    co_await read_all(find(here, siblings, few), few.met.data());
    siblings = go_down(here, siblings, few);
  }
}

inline task<> search_task::search_and_wait() const {
  const auto searching = [this] { return search(*this); };
  co_await finish(searching);
}

inline task<> search_task::operator()() const {
  return all->join == join_at::vertex ? search_and_wait() : search(*this);
}

/// Returns the sum of the results that all PEs have collected since the last call. One task calls
/// this function.
inline task<findings> collect(searchers all) {
  findings sum;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto take = [all] { return std::exchange(all->mine, findings{}); };
    const findings part = co_await call(pe, take);
    sum.found = combined(sum.found, part.found);
    sum.remote_reads += part.remote_reads;
    sum.network_taken += part.network_taken;
  }
  co_return sum;
}

struct outcome : uts::outcome {
  /// Number of remote reads in the last traversal, which reads every vertex once.
  std::uint64_t remote_reads = 0;
  nanoseconds network_taken = 0;
  int nodes = 1;
  double seconds_to_build = 0;
  std::uint64_t bytes_peak = 0;  ///< peak of global memory in bytes

  /// Returns the fraction of the time for which a node's link into a modelled network was occupied.
  double network_busy() const {
    return static_cast<double>(network_taken) * 1e-9 / (nodes * seconds);
  }

  double share_of_remote_reads() const {
    return static_cast<double>(remote_reads) / static_cast<double>(found.nodes);
  }
};

/// Performs one traversal and returns its time in seconds. The time ends when all results were
/// counted. One task calls this function.
inline task<double> search_whole(searchers all) {
  const auto before = [all] { all->mine.network_taken -= network_taken(); };
  const auto after = [all] { all->mine.network_taken += network_taken(); };
  co_await on_all_pes(before);
  const auto begin = now();
  const auto start = [all] { spawn_stealable(search_task{all, 0, 1, 0}); };
  co_await finish(start);
  const double seconds = seconds_since(begin);
  co_await on_all_pes(after);
  co_return seconds;
}

/// Searches repeatedly until the chosen number of seconds has passed. All searches must have the
/// same result.
inline task<> search_again_and_again(searchers all, const parameters& chosen, outcome& result) {
  bool right = true;
  do {
    const double seconds = co_await search_whole(all);
    result.seconds += seconds;
    ++result.traversals;
    const findings sum = co_await collect(all);
    result.remote_reads = sum.remote_reads;
    result.network_taken += sum.network_taken;
    if (right) result.found = sum.found;
    right = right && sum.found == chosen.tree.published;
  } while (result.seconds < chosen.seconds);
}

/// Makes the data that every PE needs for the search. One task calls this function.
inline task<searchers> make_searchers(built_tree tree, join_at join) {
  const searchers all = co_await searchers::make();
  const auto prepare = [=] {
    all->tree = tree;
    all->join = join;
  };
  co_await on_all_pes(prepare);
  co_return all;
}

/// Runs the benchmark once. The main task calls this function. The parameters must contain the size
/// of the tree. Throws atl::error (out_of_memory).
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::uts::in_memory
