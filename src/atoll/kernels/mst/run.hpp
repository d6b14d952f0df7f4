#pragma once
// A timed run of an algorithm for minimum spanning forests. When few edges are left, PE 0 may
// finish the forest alone.

#include "atoll/kernels/mst/filter.hpp"
#include "atoll/kernels/mst/mnd.hpp"

#include <iterator>

namespace atl::kernels::mst {

// A run ends early if PE 0 finishes the forest alone. On dense graphs, the filter leaves so few
// edges that one PE can finish the forest alone. Finishing on one PE then takes less time than
// exchanging the names of components among all PEs. Every other PE sends PE 0 the edges of its
// forest in the order of their weights. PE 0 merges the lists of all PEs, and goes through the
// merged list once.

namespace detail {

/// Merges sorted lists into one. Adds the number of moved items to `moved`.
template <class Item, class Less>
huge_vector<Item> merged(std::span<const std::span<const Item>> sorted, Less less,
                         std::uint64_t& moved) {
  huge_vector<Item> all;
  if (sorted.size() == 1) all.assign(sorted.front().begin(), sorted.front().end());
  if (sorted.size() < 2) return all;
  const auto merge = [&](std::span<const Item> a, std::span<const Item> b) {
    all.reserve(a.size() + b.size());
    std::ranges::merge(a, b, std::back_inserter(all), less);
    moved += all.size();
  };
  if (sorted.size() == 2) {
    merge(sorted[0], sorted[1]);
    return all;
  }
  const std::size_t half = sorted.size() / 2;
  const auto first = merged(sorted.first(half), less, moved);
  const auto second = merged(sorted.subspan(half), less, moved);
  merge(first, second);
  return all;
}

}  // namespace detail

template <class Word, class Exchange>
class early_finish {
 public:
  using raw = raw_edge<Word>;
  template <class T>
  using task = typename Exchange::template task<T>;

  explicit early_finish(Exchange& others) : others_(others) {
    for (int pe = 0; pe < others.pes(); ++pe) all_.push_back(pe);
  }

  /// Returns true if PE 0 should finish alone. `had` and `left` are the numbers of this PE's edges
  /// before and after the filter. `left` is empty if this PE did not filter. `most` is
  /// `parameters::filter_finish`. Every PE calls this function.
  task<bool> all_agree(std::uint64_t had, std::optional<std::uint64_t> left, double most) {
    std::vector<std::uint64_t> counts = {had, left.value_or(0), left ? 0U : 1U};
    counts = co_await others_.sum(std::move(counts));
    const double of_a_pe = static_cast<double>(counts[0]) / others_.pes();
    left_ = counts[1];
    co_return counts[2] == 0 && static_cast<double>(left_) <= most* of_a_pe;
  }

  /// Returns the forest of the whole graph on PE 0, and nothing on other PEs. `few` is the forest
  /// of this PE's edges. Every PE calls this function.
  task<huge_vector<raw>> all_finish(huge_vector<raw> few, std::uint64_t vertices) {
    if (others_.pes() == 1) co_return few;
    const bool leads = others_.pe() == 0;
    const std::span<const raw> own(few);
    const auto gathered = co_await others_.gather(all_, leads ? std::span<const raw>() : own);
    if (!leads) co_return huge_vector<raw>();
    std::vector<std::span<const raw>> sorted = {own};
    for (std::size_t i = 1; i + 1 < gathered.begin.size(); ++i) sorted.push_back(gathered.of(i));
    std::uint64_t moved = 0;
    const auto all = detail::merged(std::span<const std::span<const raw>>(sorted),
                                    local_forest<Word>::is_lighter, moved);
    local_forest<Word> forest(vertices);
    auto found = forest.of_sorted(all);
    others_.charge(work_kind::edge_sorted, moved);
    charge(others_, forest.work());
    co_return found;
  }

  /// Returns the number of edges of all PEs that the filter has left.
  std::uint64_t left() const { return left_; }

 private:
  Exchange& others_;
  std::vector<int> all_;
  std::uint64_t left_ = 0;
};

// The rest of this file runs an algorithm for minimum spanning forests and measures the time. The
// template parameter `Exchange` is the class that transfers lists between PEs (exchange.hpp).

/// The results of a run. Every PE gets the same results, except for `spent`.
struct run_outcome {
  /// Time in seconds on the slowest PE. The time begins when the edges are in memory, and ends when
  /// the forest is complete.
  double seconds = 0;
  /// Number of edges after the filter, without self loops. Duplicates on one PE are counted once.
  /// Duplicates on several PEs are also counted once, except in a run that PE 0 ends early.
  std::uint64_t edges = 0;
  std::uint64_t forest_edges = 0;
  exact_total weight;  ///< sum of the weights of the forest
  std::uint64_t iterations = 0;
  phase_seconds spent;  ///< seconds of this PE
};

/// One run on one PE.
template <class Word, class Exchange, class How>
class timed_run {
 public:
  template <class T>
  using task = typename Exchange::template task<T>;

  timed_run(part<Word>& mine, Exchange& others, const How& how, numbered_edges<Word>* numbered)
      : mine_(mine), others_(others), how_(how), numbered_(numbered) {}

  task<run_outcome> all_run(const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices,
                            std::int64_t lightest) {
    co_await others_.barrier();
    begin_ = others_.now();
    early_finish<Word, Exchange> early(others_);
    huge_vector<raw_edge<Word>> few;
    const bool filters = how_.filters() && are_worth_filtering(edges.size(), vertices);
    if (filters) filter(edges, vertices, few);
    const auto left = filters ? std::optional<std::uint64_t>(few.size()) : std::nullopt;
    if (how_.may_finish_early() &&
        co_await early.all_agree(edges.size(), left, how_.filter_finish)) {
      co_await all_finish_early(early, std::move(few), vertices);
    } else {
      co_await all_build(filters ? few : edges, vertices);
      few = {};
      co_await all_grow(vertices);
    }
    co_await all_sum_up(lightest);
    co_return std::move(outcome_);
  }

 private:
  void filter(const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices,
              huge_vector<raw_edge<Word>>& few) {
    local_forest<Word> forest(vertices);
    few = forest.of(edges);
    charge(others_, forest.work());
    outcome_.spent.filter = others_.now() - begin_;
  }

  task<void> all_finish_early(early_finish<Word, Exchange>& early, huge_vector<raw_edge<Word>> few,
                              std::uint64_t vertices) {
    forest_ = co_await early.all_finish(std::move(few), vertices);
    mine_.rank = others_.pe();
    mine_.chosen.resize(forest_.size());
    std::iota(mine_.chosen.begin(), mine_.chosen.end(), Word{0});
    for (const auto& each : forest_) mine_.chosen_weight += each.weight;
    outcome_.edges = early.left();
    outcome_.spent.post = since_filter();
  }

  task<void> all_build(const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices) {
    part_builder<Word, Exchange> builder(mine_, others_);
    if (numbered_ != nullptr) builder.keep_numbered(*numbered_);
    co_await builder.all_build(edges, vertices);
    outcome_.edges = builder.edges();
    outcome_.spent.build = since_filter();
  }

  task<void> all_grow(std::uint64_t vertices) {
    mnd<Word, Exchange, How> run(mine_, others_, how_);
    co_await run.all_run(vertices);
    outcome_.iterations = run.iterations();
    const auto before = outcome_.spent;
    outcome_.spent = run.seconds();
    outcome_.spent.filter = before.filter;
    outcome_.spent.build = before.build;
  }

  /// Ends the time measurement, and computes the results.
  task<void> all_sum_up(std::int64_t lightest) {
    const double seconds = others_.now() - begin_;
    outcome_.seconds = co_await others_.maximum(seconds);
    outcome_.forest_edges = co_await others_.sum(mine_.chosen.size());
    const int128 above = co_await all_total(mine_.chosen_weight, others_);
    outcome_.weight = exact_total(above + static_cast<int128>(outcome_.forest_edges) * lightest);
    if (numbered_ != nullptr && numbered_->first.empty()) number_by_ends();
    co_await others_.barrier();  // no PE frees the memory of the exchange while another PE uses it
  }

  /// Numbers the edges by their endpoints. The function is called if PE 0 has found the whole
  /// forest alone.
  void number_by_ends() {
    std::ranges::sort(forest_, {}, [](const auto& each) { return std::pair(each.u, each.v); });
    numbered_->edges = std::move(forest_);
    numbered_->first.assign(static_cast<std::size_t>(others_.pes()) + 1, outcome_.forest_edges);
    numbered_->first.front() = 0;
  }

  double since_filter() const { return others_.now() - begin_ - outcome_.spent.filter; }

  part<Word>& mine_;
  Exchange& others_;
  const How& how_;
  numbered_edges<Word>* const numbered_;
  double begin_ = 0;
  run_outcome outcome_;
  huge_vector<raw_edge<Word>> forest_;  // on PE 0, if it has finished alone: the whole forest
};

/// Finds the forest of the edges of all PEs, and measures the time. `mine` is the part of the graph
/// that the call makes for this PE. After the call, `mine.chosen` has the ids of the forest edges
/// that this PE has found.
/// `*numbered` has the edges that this PE has numbered. Every PE calls this function.
template <class Word, class Exchange, class How>
auto all_run(part<Word>& mine, Exchange& others, const How& how,
             const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices,
             std::int64_t lightest, numbered_edges<Word>* numbered = nullptr) ->
    typename Exchange::template task<run_outcome> {
  timed_run<Word, Exchange, How> run(mine, others, how, numbered);
  co_return co_await run.all_run(edges, vertices, lightest);
}

}  // namespace atl::kernels::mst
