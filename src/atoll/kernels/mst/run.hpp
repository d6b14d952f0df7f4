#pragma once
// A timed run of what finds minimum spanning forests, over any Exchange.

#include "atoll/kernels/mst/filter.hpp"
#include "atoll/kernels/mst/finish.hpp"
#include "atoll/kernels/mst/mnd.hpp"

namespace atl::kernels::mst {

/// What a run found out, the same on every PE, but for the seconds.
struct run_outcome {
  double seconds = 0;  ///< from the edges in memory to the forest, of the slowest PE
  /// That are left behind the filter, without loops; duplicates on one PE, and, but where one PE
  /// ends it early, on several, count once.
  std::uint64_t edges = 0;
  std::uint64_t forest_edges = 0;
  exact_total weight;  ///< of the forest
  std::uint64_t iterations = 0;
  phase_seconds spent;  ///< by this PE
};

/// One run, on one PE.
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

  /// Stops the clock.
  task<void> all_sum_up(std::int64_t lightest) {
    const double seconds = others_.now() - begin_;
    outcome_.seconds = co_await others_.maximum(seconds);
    outcome_.forest_edges = co_await others_.sum(mine_.chosen.size());
    const int128 above = co_await all_total(mine_.chosen_weight, others_);
    outcome_.weight = exact_total(above + static_cast<int128>(outcome_.forest_edges) * lightest);
    if (numbered_ != nullptr && numbered_->first.empty()) number_by_ends();
    co_await others_.barrier();  // before the memory of the exchange is given back
  }

  /// PE 0 has the whole forest.
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
  huge_vector<raw_edge<Word>> forest_;  // of PE 0, where it has finished early
};

/// Finds the forest of the edges of all PEs, timed. `mine` is the part of this PE, as a part is at
/// first; its `chosen` are ids of edges afterwards, which `numbered` tells the ends of. Every PE
/// calls it.
template <class Word, class Exchange, class How>
auto all_run(part<Word>& mine, Exchange& others, const How& how,
             const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices,
             std::int64_t lightest, numbered_edges<Word>* numbered = nullptr) ->
    typename Exchange::template task<run_outcome> {
  timed_run<Word, Exchange, How> run(mine, others, how, numbered);
  co_return co_await run.all_run(edges, vertices, lightest);
}

}  // namespace atl::kernels::mst
