#pragma once

#include "atoll/region/block_grid.hpp"

namespace atl::regions {

/// A rectangle in slices of a number of points at most, in the order of points. As few as that
/// allows: each is several whole rows, or a part of one.
template <std::size_t N>
class slices {
 public:
  slices(const rectangle<N>& whole, std::uint64_t most) : whole_(whole) {
    if (whole.empty()) return;
    const auto limit = static_cast<std::int64_t>(std::max<std::uint64_t>(1, most));
    std::int64_t row = 1;  // points that a step of the dimension `cut_` has
    for (cut_ = N - 1; cut_ > 0 && whole.extent(cut_) <= limit / row; --cut_)
      row *= whole.extent(cut_);
    steps_ = std::clamp<std::int64_t>(limit / row, 1, whole.extent(cut_));
    if (steps_ > k_whole_tiles) steps_ -= steps_ % k_whole_tiles;
    cuts_ = blocks_in(whole.extent(cut_), steps_);
    count_ = static_cast<std::uint64_t>(cuts_);
    for (std::size_t axis = 0; axis < cut_; ++axis)
      count_ = product(count_, static_cast<std::uint64_t>(whole.extent(axis)));
  }

  std::uint64_t size() const { return count_; }

  rectangle<N> operator[](std::uint64_t which) const {
    rectangle<N> slice = whole_;
    auto rest = static_cast<std::int64_t>(which);
    slice.low[cut_] += rest % cuts_ * steps_;
    slice.high[cut_] = std::min(slice.high[cut_], slice.low[cut_] + steps_);
    rest /= cuts_;
    for (std::size_t axis = cut_; axis-- > 0; rest /= whole_.extent(axis)) {
      slice.low[axis] += rest % whole_.extent(axis);
      slice.high[axis] = slice.low[axis] + 1;
    }
    return slice;
  }

 private:
  // Rows are transposed so many at a time.
  static constexpr std::int64_t k_whole_tiles = 64;

  rectangle<N> whole_;
  std::size_t cut_ = 0;
  std::int64_t steps_ = 1;
  std::int64_t cuts_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace atl::regions
