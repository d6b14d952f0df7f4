#pragma once
// What is the same in all iterations on a graph. What the vertices of a PE give to the same vertex
// is added up before it travels. Which vertices of each other PE that are, and in which order their
// sums come, both agree on once; afterwards only sums travel.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/pagerank_ranks.hpp"

namespace atl::kernels::pagerank {

/// So many sums after one another, each of so many terms.
struct sum_run {
  std::uint64_t sums;
  std::uint64_t terms;
};

/// What one PE adds up for another.
template <class Id>
struct sums_to {
  std::uint64_t first = 0;  ///< of its sums, among all that this PE makes
  std::uint64_t sums = 0;
  std::vector<sum_run> runs;  ///< together all sums
  huge_vector<Id> terms;      ///< of one sum after another: where the contribution stands
};

/// What a PE gets from another.
template <class Id>
struct sums_from {
  std::uint64_t first = 0;  ///< of them, among all that the other PE makes
  std::uint64_t place = 0;  ///< where they go here if they have to travel
  huge_vector<Id> slots;    ///< of the vertices they are for
};

/// An arc of a vertex here to one of another PE.
template <class Id>
struct local_arc {
  Id source;
  Id row;
};

/// One PE's part.
template <class Id>
class plan_part {
 public:
  std::vector<sums_to<Id>> to;        ///< by PE
  std::vector<sums_from<Id>> from;    ///< by PE
  std::vector<std::uint64_t> places;  ///< by PE: of `from` there

  /// Once for a graph, behind that of the ranks. Every PE calls it.
  task<> all_prepare(const graph_part<Id>& graph, const rank_part<Id>& ranks);

  /// The most sums that any PE makes or gets. Every PE calls it.
  task<std::uint64_t> all_most_sums() const;

 private:
  using arc_lists = std::vector<huge_vector<local_arc<Id>>>;

  static task<arc_lists> arcs_by_owner(const graph_part<Id>& graph, const rank_part<Id>& ranks);
  static task<std::vector<Id>> add_up(sums_to<Id>& all, const huge_vector<local_arc<Id>>& arcs,
                                      std::uint64_t rows);
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
        co_await add_up(to[pe], arcs[pe], graph.shape.end(owner) - graph.shape.begin(owner)));
    huge_vector<local_arc<Id>>().swap(arcs[pe]);
    to[pe].first = first;
    first += to[pe].sums;
  }
  co_await all_agree(rows, ranks);
}

/// Arcs by the PE of their target; those of the first sources first.
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
  arc_lists lists(counts.size());
  for (std::size_t pe = 0; pe < lists.size(); ++pe) lists[pe].reserve(counts[pe]);
  const auto deal = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto source = begin; source < end; ++source) {
      for (const Id target : graph.row(rows[source])) {
        const int owner = graph.shape.owner(target);
        const auto row = static_cast<Id>(target - graph.shape.begin(owner));
        lists[static_cast<std::size_t>(owner)].push_back({static_cast<Id>(source), row});
      }
    }
  };
  co_await graph::in_stretches(0, rows.size(), deal, graph::k_sorted_rows);
  co_return lists;
}

/// Sums of equally many terms become neighbours: the loop over them has no surprises for the
/// processor. Returns the rows that the sums are for.
template <class Id>
task<std::vector<Id>> plan_part<Id>::add_up(sums_to<Id>& all,
                                            const huge_vector<local_arc<Id>>& arcs,
                                            std::uint64_t rows) {
  huge_vector<std::uint64_t> terms(rows);
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) ++terms[arcs[i].row];
  };
  co_await graph::in_stretches(0, arcs.size(), count);
  const auto terms_of = [&](std::uint64_t row) { return terms[row]; };
  const auto order = co_await by_descending_size<Id>(rows, terms_of);
  std::uint64_t place = 0;
  for (; all.sums < rows && terms[order[all.sums]] > 0; ++all.sums) {
    const std::uint64_t count_here = std::exchange(terms[order[all.sums]], place);
    place += count_here;
    if (all.runs.empty() || all.runs.back().terms != count_here)
      all.runs.push_back({0, count_here});
    ++all.runs.back().sums;
  }
  co_await graph::grow(all.terms, arcs.size());
  const auto deal = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) all.terms[terms[arcs[i].row]++] = arcs[i].source;
  };
  co_await graph::in_stretches(0, arcs.size(), deal);
  co_return std::vector<Id>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(all.sums));
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
