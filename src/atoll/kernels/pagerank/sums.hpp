#pragma once
// How a PE adds up what its vertices give to those of another: which contributions belong to which
// sum, in the order in which sums are made.

#include "atoll/kernels/pagerank/order.hpp"

#include <utility>

namespace atl::kernels::pagerank {

/// Contributions that stand before this are *near*: so few that they stay in the cache of a core,
/// and their places are told in 16 bits. Most arcs are of vertices with many of them, which come
/// first.
inline constexpr std::uint64_t k_near = std::uint64_t{1} << 16;

/// So many sums after one another, each of so many near terms and so many others.
struct sum_run {
  std::uint64_t sums;
  std::uint64_t near;
  std::uint64_t far;
};

/// What one PE adds up for another.
template <class Id>
struct sums_to {
  std::uint64_t first = 0;  ///< of its sums, among all that this PE makes
  std::uint64_t sums = 0;
  std::vector<sum_run> runs;  ///< together all sums
  /// Where the contributions stand, of one sum after another. Behind the far ones are some more
  /// places of any contributions: they are asked for early.
  huge_vector<std::uint16_t> near;
  huge_vector<Id> far;
  /// Beside them, where arcs have weights.
  huge_vector<double> near_weights;
  huge_vector<double> far_weights;

  static constexpr std::uint64_t k_ahead = 32;
};

/// An arc of a vertex here to one of another PE.
template <class Id>
struct local_arc {
  Id source;
  Id row;
};

/// Those to one PE, with their weights where there are any.
template <class Id>
struct arc_list {
  huge_vector<local_arc<Id>> arcs;
  huge_vector<double> weights;
};

/// Terms of a sum: how many, or where they begin.
struct term_places {
  std::uint64_t near = 0;
  std::uint64_t far = 0;
};

/// The rows of a PE that get anything from here. Those of equally many terms become neighbours: a
/// loop over them has no surprises for the processor.
template <class Id>
task<huge_vector<Id>> rows_in_order(const huge_vector<term_places>& counts) {
  auto rows = co_await numbers_below<Id>(counts.size());
  co_await order_by_size(rows, [&](Id row) { return counts[row].far; });
  co_await order_by_size(rows, [&](Id row) { return counts[row].near; });
  std::erase_if(rows, [&](Id row) { return counts[row].near + counts[row].far == 0; });
  co_return rows;
}

/// Makes places of the counts, and runs of the sums for `rows`.
template <class Id>
task<> place_terms(const huge_vector<Id>& rows, huge_vector<term_places>& counts,
                   std::vector<sum_run>& runs) {
  term_places next;
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) {
      const term_places here = std::exchange(counts[rows[i]], next);
      next.near += here.near;
      next.far += here.far;
      if (runs.empty() || runs.back().near != here.near || runs.back().far != here.far)
        runs.push_back({0, here.near, here.far});
      ++runs.back().sums;
    }
  };
  co_await graph::in_stretches(0, rows.size(), place);
}

/// Puts the terms of all sums where they belong.
template <class Id>
task<> deal_terms(sums_to<Id>& all, const arc_list<Id>& list, huge_vector<term_places>& places) {
  const bool weighted = !list.weights.empty();
  if (weighted) {
    co_await graph::grow(all.near_weights, all.near.size());
    co_await graph::grow(all.far_weights, all.far.size());
  }
  const auto deal = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) {
      const auto [source, row] = list.arcs[i];
      const bool near = source < k_near;
      const std::uint64_t place = near ? places[row].near++ : places[row].far++;
      if (near)
        all.near[place] = static_cast<std::uint16_t>(source);
      else
        all.far[place] = source;
      if (weighted) (near ? all.near_weights : all.far_weights)[place] = list.weights[i];
    }
  };
  co_await graph::in_stretches(0, list.arcs.size(), deal);
}

/// Finds out how the PE of these arcs adds up what goes over them. Returns the rows, of `rows`,
/// that the sums are for. Blocks the task.
template <class Id>
task<std::vector<Id>> plan_sums(sums_to<Id>& all, const arc_list<Id>& list, std::uint64_t rows) {
  huge_vector<term_places> places;
  co_await graph::grow(places, rows);
  std::uint64_t near = 0;
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) {
      const bool is_near = list.arcs[i].source < k_near;
      ++(is_near ? places[list.arcs[i].row].near : places[list.arcs[i].row].far);
      near += is_near ? 1 : 0;
    }
  };
  co_await graph::in_stretches(0, list.arcs.size(), count);
  const auto order = co_await rows_in_order<Id>(places);
  all.sums = order.size();
  co_await place_terms(order, places, all.runs);
  co_await graph::grow(all.near, near);
  co_await graph::grow(all.far, list.arcs.size() - near + sums_to<Id>::k_ahead);
  co_await deal_terms(all, list, places);
  co_return std::vector<Id>(order.begin(), order.end());
}

}  // namespace atl::kernels::pagerank
