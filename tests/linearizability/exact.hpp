#pragma once
// A search decides whether a history is linearizable. The search tries each operation that may come
// next (Wing and Gong). A state of the search is a set of finished operations and the contents of
// the structure. If the search reaches a state for the second time, the search does not continue
// from this state (Lowe). The time of the search is exponential in the number of overlapping
// operations.

#include "linearizability/history.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

namespace atl::test {

class exact_checker {
 public:
  /// The history may have at most 64 operations.
  exact_checker(discipline order, std::span<const operation> all) : order_(order), all_(all) {}

  bool is_linearizable() {
    const std::uint64_t everything = all_.size() == 64 ? ~0ull : (1ull << all_.size()) - 1;
    return extend(0, everything);
  }

 private:
  bool extend(std::uint64_t done, std::uint64_t everything) {
    if (done == everything) return true;
    if (!seen_.emplace(done, contents_).second) return false;
    std::uint64_t first_end = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < all_.size(); ++i)
      if ((done >> i & 1) == 0) first_end = std::min(first_end, all_[i].end);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if ((done >> i & 1) != 0 || all_[i].begin > first_end) continue;
      const std::deque<std::uint64_t> before = contents_;
      if (apply(all_[i]) && extend(done | 1ull << i, everything)) return true;
      contents_ = before;
    }
    return false;
  }

  bool apply(const operation& next) {
    if (next.is_push) {
      contents_.push_back(next.value);
      return true;
    }
    if (contents_.empty() || next.is_empty) return contents_.empty() && next.is_empty;
    const bool newest = order_ == discipline::stack;
    if ((newest ? contents_.back() : contents_.front()) != next.value) return false;
    newest ? contents_.pop_back() : contents_.pop_front();
    return true;
  }

  discipline order_;
  std::span<const operation> all_;
  std::deque<std::uint64_t> contents_;
  std::set<std::pair<std::uint64_t, std::deque<std::uint64_t>>> seen_;
};

inline bool exactly_linearizable(discipline order, std::span<const operation> all) {
  return exact_checker(order, all).is_linearizable();
}

}  // namespace atl::test
