#pragma once
// This file has the list of elements of a global stack or queue that only one PE sees so far.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace atl::container {

/// A list of elements in the order in which they were pushed. A caller can take the oldest elements
/// out of the list for a commit. If the commit fails, the caller can put the taken elements back
/// without allocating memory. Before the caller takes elements again, it must call `put_back` or
/// `forget_taken`.
template <class T>
class kept_elements {
 public:
  std::size_t size() const { return all_.size() - oldest_; }
  bool empty() const { return size() == 0; }

  void push_back(const T& value) { all_.push_back(value); }

  /// Removes the newest element. The list must not be empty.
  T pop_newest() {
    const T newest = all_.back();
    all_.pop_back();
    return newest;
  }

  /// Removes the oldest element. The list must not be empty.
  T pop_oldest() {
    const T oldest = all_[oldest_++];
    close_gap();
    return oldest;
  }

  /// Removes and returns the `count` oldest elements. `count` must be at most `size()`. The memory
  /// of the taken elements stays reserved until `put_back` or `forget_taken`.
  std::vector<T> take_oldest(std::size_t count) {
    const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    std::vector<T> taken(begin, begin + static_cast<std::ptrdiff_t>(count));
    oldest_ += count;
    taken_ = count;
    return taken;
  }

  /// Puts back the elements that `take_oldest` returned. The returned elements become the oldest
  /// elements again.
  void put_back(std::span<const T> taken) noexcept {
    oldest_ -= taken.size();
    std::ranges::copy(taken, all_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    taken_ = 0;
  }

  /// Ends the reservation of memory for the elements that `take_oldest` has returned.
  void forget_taken() {
    taken_ = 0;
    close_gap();
  }

 private:
  /// Frees unused memory at the front of the vector if much memory is unused. The memory reserved
  /// for taken elements is not freed.
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
