#pragma once
// What is the same in all iterations on a graph. What the vertices of a PE give to the same vertex
// is added up before it travels. Which vertices of each other PE that are, and in which order their
// sums come, both agree on once; afterwards only sums travel.

#include "atoll/kernels/pagerank/ranks.hpp"
#include "atoll/kernels/pagerank/sums.hpp"

namespace atl::kernels::pagerank {

/// What a PE gets from another.
template <class Id>
struct sums_from {
  std::uint64_t first = 0;  ///< of them, among all that the other PE makes
  std::uint64_t place = 0;  ///< where they go here if they have to travel
  huge_vector<Id> slots;    ///< of the vertices they are for
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
