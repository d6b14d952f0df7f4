#pragma once
// What a PE keeps of a structure for itself.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace atl::container {

/// Elements in the order of their pushes. The oldest can be taken together, and put back without
/// memory as long as nobody has taken others so. Of one PE.
template <class T>
class kept_elements {
 public:
  std::size_t size() const { return all_.size() - oldest_; }
  bool empty() const { return size() == 0; }

  void push_back(const T& value) { all_.push_back(value); }

  /// There must be one.
  T pop_newest() {
    const T newest = all_.back();
    all_.pop_back();
    return newest;
  }

  /// There must be one.
  T pop_oldest() {
    const T oldest = all_[oldest_++];
    close_gap();
    return oldest;
  }

  /// At most `size()`; their places are kept until `put_back` or `forget_taken`.
  std::vector<T> take_oldest(std::size_t count) {
    const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    std::vector<T> taken(begin, begin + static_cast<std::ptrdiff_t>(count));
    oldest_ += count;
    taken_ = count;
    return taken;
  }

  /// What `take_oldest` gave, before all others.
  void put_back(std::span<const T> taken) noexcept {
    oldest_ -= taken.size();
    std::ranges::copy(taken, all_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    taken_ = 0;
  }

  /// It will not be put back.
  void forget_taken() {
    taken_ = 0;
    close_gap();
  }

 private:
  /// Pops by others while the oldest are taken leave at least their places free.
  void close_gap() {
    const std::size_t unused = oldest_ - taken_;
    if (unused < k_least_gap || 2 * unused < all_.size()) return;
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(unused));
    oldest_ = taken_;
    if (all_.empty()) all_ = {};
  }

  static constexpr std::size_t k_least_gap = 1024;

  std::vector<T> all_;
  std::size_t oldest_ = 0;  ///< its place; none is in use before it
  std::size_t taken_ = 0;   ///< so many places before it stay free
};

}  // namespace atl::container
