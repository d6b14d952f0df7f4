#pragma once
// What a task of the search holds back: the siblings it has found and not yet visited.

#include "atoll/kernels/uts/tree.hpp"

namespace atl::kernels::uts {

/// A stack that also gives its oldest entries away, for they promise the most work. Grows.
class waiting_siblings {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }

  /// Nothing happens where there are none.
  void push(const siblings& found) {
    if (found.count() == 0) return;
    make_room(1);
    places_[end_++] = found;
  }

  /// Visits at least `least` vertices, as long as there are any, and counts them.
  void visit_some(const tree& whole, std::uint64_t least, totals& found) {
    std::uint64_t inner = 0, visited = 0, depth = found.depth;
    while (!empty() && visited < least) {
      const siblings latest = pop_some();
      make_room(k_most_visited + 1);
      siblings* const first = &places_[end_];
      end_ = static_cast<std::size_t>(visit(whole, latest, first) - places_.data());
      visited += latest.count();
      inner += static_cast<std::size_t>(&places_[end_] - first);
      depth = std::max<std::uint64_t>(depth, latest.depth);
    }
    found.nodes += visited;
    found.leaves += visited - inner;
    found.depth = depth;
  }

  /// Takes the oldest siblings away; if there are no others, the second half of them. There must be
  /// more than one vertex.
  siblings take_oldest() {
    if (size() > 1) return places_[begin_++];
    siblings& only = places_[begin_];
    siblings half = only;
    half.first = static_cast<std::uint16_t>(only.first + only.count() / 2);
    only.end = half.first;
    return half;
  }

  bool can_share() const { return size() > 1 || (size() == 1 && places_[begin_].count() > 1); }

 private:
  /// The latest siblings, or as many of them as may be visited at once.
  siblings pop_some() {
    siblings& latest = places_[end_ - 1];
    siblings some = latest;
    if (some.count() > k_most_visited) [[unlikely]] {
      some.first = static_cast<std::uint16_t>(latest.end - k_most_visited);
      latest.end = some.first;
    } else {
      --end_;
    }
    return some;
  }

  void make_room(std::size_t count) {
    if (end_ + count <= places_.size()) return;
    if (begin_ > end_ - begin_ + count) {
      std::copy(places_.begin() + begin_, places_.begin() + end_, places_.begin());
      end_ -= std::exchange(begin_, 0);
    } else {
      places_.resize(2 * (end_ + count));
    }
  }

  std::vector<siblings> places_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace atl::kernels::uts
