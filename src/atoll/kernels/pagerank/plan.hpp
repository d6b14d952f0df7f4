#pragma once
// The plan lists the contributions that a PE adds up in each iteration, and their order. The plan
// is the same in all iterations.

#include "atoll/kernels/pagerank/ranks.hpp"

#include <utility>

namespace atl::kernels::pagerank {

// The first part of this file describes the sums that one PE makes for the vertices of another PE,
// and the contributions to each sum.

/// Contributions with an index below k_near are *near*. Near contributions fit into the cache of a
/// core, and 16 bits are enough for their indexes. Most arcs start at vertices with many arcs, and
/// the contributions of such vertices come first.
inline constexpr std::uint64_t k_near = std::uint64_t{1} << 16;

/// A run: `sums` consecutive sums with equal numbers of contributions. Each sum of a run adds up
/// `near` near contributions and `far` other contributions, which are the *terms* of the sum.
struct sum_run {
  std::uint64_t sums;
  std::uint64_t near;
  std::uint64_t far;
};

/// The sums that one PE makes for another PE.
template <class Id>
struct sums_to {
  std::uint64_t first = 0;  ///< index of the first sum for the other PE among all sums of this PE
  std::uint64_t sums = 0;
  std::vector<sum_run>
      runs;  ///< all sums, in runs (sequences of sums with equal numbers of contributions)
  /// Indexes of the contributions, one sum after another. A few arbitrary indexes follow after the
  /// far indexes, because the loop prefetches beyond the last index.
  huge_vector<std::uint16_t> near;
  huge_vector<Id> far;
  /// Weights of the arcs, in the same order as the indexes; empty if arcs have no weights.
  huge_vector<double> near_weights;
  huge_vector<double> far_weights;

  static constexpr std::uint64_t k_ahead = 32;
};

/// An arc from this PE to a given PE. `source` is the index of the arc's source in
/// `rank_part::contributions`, and `row` is the row of the arc's target on the given PE.
template <class Id>
struct local_arc {
  Id source;
  Id row;
};

/// The arcs from this PE to one PE, with their weights if arcs have weights.
template <class Id>
struct arc_list {
  huge_vector<local_arc<Id>> arcs;
  huge_vector<double> weights;
};

/// Two values of a sum: `near` for contributions with an index below k_near, and `far` for all
/// other contributions. At first, `near` and `far` are the numbers of the sum's near and far
/// contributions (the terms of the sum). The function `place_terms` replaces each number of terms
/// by the index of the first of the terms.
struct term_places {
  std::uint64_t near = 0;
  std::uint64_t far = 0;
};

/// Returns the rows of another PE that receive a contribution from this PE. Rows with equal numbers
/// of contributions are adjacent, so that the branches of loops over the contributions are
/// predictable.
template <class Id>
task<huge_vector<Id>> rows_in_order(const huge_vector<term_places>& counts) {
  auto rows = co_await numbers_below<Id>(counts.size());
  co_await order_by_size(rows, [&](Id row) { return counts[row].far; });
  co_await order_by_size(rows, [&](Id row) { return counts[row].near; });
  std::erase_if(rows, [&](Id row) { return counts[row].near + counts[row].far == 0; });
  co_return rows;
}

/// In `counts`, replaces the numbers of near and far terms of each sum by the indexes of the first
/// near and far terms. Divides the sums into runs, sequences of sums with equal numbers of terms.
/// Sum number i is the sum for row `rows[i]`.
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

/// Stores the terms (the contributions) of all sums in the order of the sums. `places` has the
/// indexes of the first near and far terms of each sum; the call changes the indexes in `places`.
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

/// Plans the sums for another PE with `rows` rows. `list` has the arcs from this PE to the other
/// PE. Returns the rows that get a sum, in the order of the sums. The task waits.
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

// A PE first adds up the contributions of its vertices to the same target, and then sends the sum.
// Once per graph, both PEs agree on the target vertices and on the order of the sums. In each
// iteration, only the sums are sent.

/// The sums that a PE receives from another PE.
template <class Id>
struct sums_from {
  /// Index of the first received sum among all sums that the other PE makes.
  std::uint64_t first = 0;
  /// If the other PE is on another node: index of the first received sum in this PE's memory for
  /// arriving sums.
  std::uint64_t place = 0;
  huge_vector<Id> slots;  ///< for each sum: index of its vertex in `rank_part::received`
};

/// The sums that one PE makes and receives.
template <class Id>
class plan_part {
 public:
  std::vector<sums_to<Id>> to;      ///< indexed by PE
  std::vector<sums_from<Id>> from;  ///< indexed by PE
  /// For each PE p of another node: index in p's memory for arriving sums at which this PE's sums
  /// begin.
  std::vector<std::uint64_t> places;

  /// Prepares the plan once for a graph, after the ranks were prepared. Every PE calls this
  /// function.
  task<> all_prepare(const graph_part<Id>& graph, const rank_part<Id>& ranks);

  /// Returns the largest number of sums that any PE makes or receives. Every PE calls this
  /// function.
  task<std::uint64_t> all_most_sums() const;

 private:
  using arc_lists = std::vector<arc_list<Id>>;

  static task<arc_lists> arcs_by_owner(const graph_part<Id>& graph, const rank_part<Id>& ranks);
  task<> all_agree(const std::vector<std::vector<Id>>& rows, const rank_part<Id>& ranks);
};

template <class Id>
task<> plan_part<Id>::all_prepare(const graph_part<Id>& graph, const rank_part<Id>& ranks) {
  to.resize(static_cast<std::size_t>(pes()));
  auto arcs = co_await arcs_by_owner(graph, ranks);
  std::vector<std::vector<Id>> rows;
  std::uint64_t first = 0;
  for (std::size_t pe = 0; pe < to.size(); ++pe) {
    const int owner = static_cast<int>(pe);
    rows.push_back(
        co_await plan_sums(to[pe], arcs[pe], graph.shape.end(owner) - graph.shape.begin(owner)));
    arcs[pe] = {};
    to[pe].first = first;
    first += to[pe].sums;
  }
  co_await all_agree(rows, ranks);
}

/// Returns the arcs of this PE in one list for each owner of a target. A list is in the order of
/// the sources.
template <class Id>
task<typename plan_part<Id>::arc_lists> plan_part<Id>::arcs_by_owner(const graph_part<Id>& graph,
                                                                     const rank_part<Id>& ranks) {
  huge_vector<Id> rows(graph.rows());
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    rows[ranks.source_of_row(row)] = static_cast<Id>(row);
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(pes()));
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i)
      ++counts[static_cast<std::size_t>(graph.shape.owner(graph.targets[i]))];
  };
  co_await graph::in_stretches(0, graph.arcs(), count);
  const bool weighted = !graph.weights.empty();
  arc_lists lists(counts.size());
  for (std::size_t pe = 0; pe < lists.size(); ++pe) {
    lists[pe].arcs.reserve(counts[pe]);
    if (weighted) lists[pe].weights.reserve(counts[pe]);
  }
  const auto deal = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto source = begin; source < end; ++source) {
      const auto targets = graph.row(rows[source]);
      for (std::uint64_t i = 0; i < targets.size(); ++i) {
        const int owner = graph.shape.owner(targets[i]);
        const auto row = static_cast<Id>(targets[i] - graph.shape.begin(owner));
        auto& list = lists[static_cast<std::size_t>(owner)];
        list.arcs.push_back({static_cast<Id>(source), row});
        if (weighted) list.weights.push_back(graph.weights_of_row(rows[source])[i]);
      }
    }
  };
  co_await graph::in_stretches(0, rows.size(), deal, graph::k_sorted_rows);
  co_return lists;
}

template <class Id>
task<> plan_part<Id>::all_agree(const std::vector<std::vector<Id>>& rows,
                                const rank_part<Id>& ranks) {
  std::vector<std::vector<std::uint64_t>> numbers;
  for (const auto& list : to) numbers.push_back({list.first});
  const auto firsts = co_await all_to_all(numbers);
  const auto wanted = co_await all_to_all(rows);
  from.resize(to.size());
  std::uint64_t place = 0;
  for (std::size_t pe = 0; pe < from.size(); ++pe) {
    from[pe].first = firsts[pe][0];
    from[pe].place = place;
    numbers[pe] = {place};
    place += wanted[pe].size();
    from[pe].slots.reserve(wanted[pe].size());
    const auto look_up = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) from[pe].slots.push_back(ranks.slots[wanted[pe][i]]);
    };
    co_await graph::in_stretches(0, wanted[pe].size(), look_up);
  }
  for (const auto& of_pe : co_await all_to_all(numbers)) places.push_back(of_pe[0]);
}

template <class Id>
task<std::uint64_t> plan_part<Id>::all_most_sums() const {
  std::uint64_t made = 0, received = 0;
  for (const auto& list : to) made += list.sums;
  for (const auto& list : from) received += list.slots.size();
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  co_return co_await all_reduce(std::max(made, received), larger);
}

}  // namespace atl::kernels::pagerank
