#pragma once
// An early end. On dense graphs the filter leaves so little that one PE has done with it before all
// of them have told each other the names of components: it merges the forests of the others with
// its own, each in the order of the weights already, and goes through them once.

#include "atoll/kernels/mst/filter.hpp"
#include "atoll/kernels/mst/mnd.hpp"

#include <iterator>

namespace atl::kernels::mst {

namespace detail {

/// Sorted lists as one.
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

  /// Whether PE 0 is to finish, where this PE has `left` edges of the `had` before the filter; none
  /// where it did not filter. Every PE calls it.
  task<bool> all_agree(std::uint64_t had, std::optional<std::uint64_t> left, double most) {
    std::vector<std::uint64_t> counts = {had, left.value_or(0), left ? 0U : 1U};
    counts = co_await others_.sum(std::move(counts));
    const double of_a_pe = static_cast<double>(counts[0]) / others_.pes();
    left_ = counts[1];
    co_return counts[2] == 0 && static_cast<double>(left_) <= most* of_a_pe;
  }

  /// The forest of the forests of all PEs, `few` here, on PE 0; nothing on others. Every PE calls
  /// it.
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

  /// Of all PEs, that were left.
  std::uint64_t left() const { return left_; }

 private:
  Exchange& others_;
  std::vector<int> all_;
  std::uint64_t left_ = 0;
};

}  // namespace atl::kernels::mst
