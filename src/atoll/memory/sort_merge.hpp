#pragma once
// Merging sorted runs of one PE, between which other tasks run.

#include "atoll/task.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::memory {

/// So many items are sorted at a time, in about 20 ms, and merged.
inline constexpr std::size_t k_sorted_at_once = std::size_t{1} << 18;
inline constexpr std::size_t k_merged_at_once = std::size_t{1} << 16;

/// Two sorted runs on their way into one; of equal items those of the first come first.
template <class Item>
struct merged_runs {
  const Item *first, *first_end;
  const Item *second, *second_end;
  Item* to;

  /// Whether there are items left in both.
  template <class Less>
  [[gnu::noinline]] bool advance(const Less& less) {
    std::size_t left = k_merged_at_once;
    for (; left > 0 && first != first_end && second != second_end; --left) {
      const bool takes_second = less(*second, *first);  // not a branch: nothing would predict it
      *to++ = takes_second ? *second : *first;
      second += takes_second ? 1 : 0;
      first += takes_second ? 0 : 1;
    }
    return left == 0;
  }
  void finish() { std::copy(second, second_end, std::copy(first, first_end, to)); }
};

/// Merges the runs [begins[i], begins[i + 1]) of the items; of equal ones those of earlier runs
/// come first.
template <class Item, class Less>
task<> merge_all(std::vector<Item>& items, std::vector<std::size_t> begins, const Less& less) {
  std::vector<Item> other(items);
  while (begins.size() > 2) {
    std::vector<std::size_t> merged = {0};
    for (std::size_t run = 0; run + 1 < begins.size(); run += 2) {
      const Item* const from = items.data();
      const std::size_t middle = begins[run + 1];
      const std::size_t end = run + 2 < begins.size() ? begins[run + 2] : middle;
      merged_runs<Item> two{from + begins[run], from + middle, from + middle, from + end,
                            other.data() + begins[run]};
      while (two.advance(less)) co_await yield();
      two.finish();
      merged.push_back(end);
    }
    items.swap(other);
    begins.swap(merged);
  }
}

/// Sorts the items; `stable`: equal ones keep their order.
template <class Item, class Less>
task<> sort_here(std::vector<Item>& items, const Less& less, bool stable) {
  std::vector<std::size_t> begins = {0};
  while (begins.back() < items.size()) {
    const std::size_t size = std::min(k_sorted_at_once, items.size() - begins.back());
    const auto run = std::span(items).subspan(begins.back(), size);
    if (stable)
      std::stable_sort(run.begin(), run.end(), less);
    else
      std::sort(run.begin(), run.end(), less);
    begins.push_back(begins.back() + size);
    co_await yield();
  }
  co_await merge_all(items, std::move(begins), less);
}

}  // namespace atl::memory
