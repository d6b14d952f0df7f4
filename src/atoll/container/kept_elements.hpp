#pragma once
// Elements of a structure that a PE keeps for itself.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace atl::container {

/// Elements of one PE, in the order of their pushes. The oldest elements can be taken as a group
/// and put back without allocating memory, until a second group is taken.
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

  /// Takes the `count` oldest elements, at most `size()`. Their places stay reserved until
  /// `put_back` or `forget_taken`.
  std::vector<T> take_oldest(std::size_t count) {
    const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    std::vector<T> taken(begin, begin + static_cast<std::ptrdiff_t>(count));
    oldest_ += count;
    taken_ = count;
    return taken;
  }

  /// Puts the elements that `take_oldest` returned back before all others.
  void put_back(std::span<const T> taken) noexcept {
    oldest_ -= taken.size();
    std::ranges::copy(taken, all_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    taken_ = 0;
  }

  /// Releases the places of the elements that `take_oldest` returned.
  void forget_taken() {
    taken_ = 0;
    close_gap();
  }

 private:
  /// Removes unused places at the front, except for those of taken elements.
  void close_gap() {
    const std::size_t unused = oldest_ - taken_;
    if (unused < k_least_gap || 2 * unused < all_.size()) return;
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(unused));
    oldest_ = taken_;
    if (all_.empty()) all_ = {};
  }

  static constexpr std::size_t k_least_gap = 1024;

  std::vector<T> all_;
  std::size_t oldest_ = 0;  ///< index of the oldest element; no place before it is in use
  std::size_t taken_ = 0;   ///< places before `oldest_` that stay free for `put_back`
};

}  // namespace atl::container
