#pragma once
// This file times runs of PageRank on a graph that is already built.

#include "atoll/kernels/pagerank/iterate.hpp"
#include "atoll/kernels/pagerank/validation.hpp"

namespace atl::kernels::pagerank {

/// The results of one run, the same on all PEs.
struct run_outcome {
  double seconds = 0;
  convergence ended;
  wrong_ranks found;  ///< filled if the run was verified
};

/// Ranks all vertices by `all_rank()`, a coroutine. The time begins when all PEs are ready, and
/// ends when all PEs have finished. `expected` points to the expected ranks of this PE. If
/// `expected` is null, ranks are not verified. Every PE calls this function.
template <class Id, class Rank>
task<run_outcome> all_run_by(rank_part<Id>& ranks, const expected_ranks* expected, Rank all_rank) {
  co_await all_barrier();
  const auto begin = now();
  run_outcome all;
  all.ended = co_await all_rank();
  const double seconds = seconds_since(begin);
  all.seconds = co_await all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
  if (expected != nullptr) all.found = co_await all_compare(ranks, *expected);
  co_return all;
}

/// Ranks all vertices by `all_iterate`. `all_run_by` measures the time. Every PE calls this
/// function.
template <class Id>
task<run_outcome> all_run(workspace<Id> on, parameters with, const expected_ranks* expected) {
  const auto rank = [&] { return all_iterate(on, with); };
  co_return co_await all_run_by(on.ranks.local(), expected, rank);
}

struct ranked_vertex {
  std::uint64_t vertex = 0;
  double rank = 0;

  /// Places higher ranks before lower ranks.
  friend bool operator<(const ranked_vertex& a, const ranked_vertex& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.vertex < b.vertex;
  }
};

/// Returns the `most` vertices with the highest ranks after a run. Every PE calls this function.
/// Every PE gets the same result.
template <class Id>
task<std::vector<ranked_vertex>> all_top(workspace<Id> on, std::size_t most) {
  const rank_part<Id>& ranks = on.ranks.local();
  std::vector<ranked_vertex> top;
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      const ranked_vertex one{on.graph->first_vertex + row, ranks.rank_of_row(row)};
      if (top.size() == most && (most == 0 || !(one < top.back()))) continue;
      if (top.size() == most) top.pop_back();
      top.insert(std::ranges::upper_bound(top, one, std::less<>()), one);
    }
  };
  co_await graph::in_stretches(0, ranks.slots.size(), look);
  std::vector<ranked_vertex> all;
  for (const auto& of_pe : co_await all_gather(std::span<const ranked_vertex>(top)))
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(all, std::less<>());
  all.resize(std::min(all.size(), most));
  co_return all;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in pagerank.cpp.
#define ATOLL_PAGERANK_RUN(kind, Id)                                                               \
  kind template task<run_outcome> all_run(workspace<Id>, parameters, const expected_ranks*);       \
  kind template task<std::vector<ranked_vertex>> all_top(workspace<Id>, std::size_t);
ATOLL_PAGERANK_RUN(extern, std::uint32_t)
ATOLL_PAGERANK_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::pagerank
