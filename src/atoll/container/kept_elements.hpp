#pragma once
// Elements of a global structure that a PE has not published to the others yet.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace atl::container {

/// Elements of one PE, in the order in which they were pushed. A caller can take a group of the
/// oldest elements, and can put it back without allocating memory. Only one group can be taken at a
/// time.
template <class T>
class kept_elements {
 public:
  std::size_t size() const { return all_.size() - oldest_; }
  bool empty() const { return size() == 0; }

  void push_back(const T& value) { all_.push_back(value); }

  /// Removes the newest element. There must be one.
  T pop_newest() {
    const T newest = all_.back();
    all_.pop_back();
    return newest;
  }

  /// Removes the oldest element. There must be one.
  T pop_oldest() {
    const T oldest = all_[oldest_++];
    close_gap();
    return oldest;
  }

  /// Takes the `count` oldest elements, at most `size()`. The memory of the taken elements stays
  /// reserved until `put_back` or `forget_taken`.
  std::vector<T> take_oldest(std::size_t count) {
    const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    std::vector<T> taken(begin, begin + static_cast<std::ptrdiff_t>(count));
    oldest_ += count;
    taken_ = count;
    return taken;
  }

  /// Puts the elements that `take_oldest` returned back to their place before all others.
  void put_back(std::span<const T> taken) noexcept {
    oldest_ -= taken.size();
    std::ranges::copy(taken, all_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    taken_ = 0;
  }

  /// Releases the reserved memory of the elements that `take_oldest` returned.
  void forget_taken() {
    taken_ = 0;
    close_gap();
  }

 private:
  /// Removes unused memory at the front. Memory of taken elements stays.
  void close_gap() {
    const std::size_t unused = oldest_ - taken_;
    if (unused < k_least_gap || 2 * unused < all_.size()) return;
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(unused));
    oldest_ = taken_;
    if (all_.empty()) all_ = {};
  }

  static constexpr std::size_t k_least_gap = 1024;

  std::vector<T> all_;
  /// Index of the oldest element; elements before this index are not in use.
  std::size_t oldest_ = 0;
  std::size_t taken_ = 0;  ///< number of elements before `oldest_` that are reserved for `put_back`
};

}  // namespace atl::container
