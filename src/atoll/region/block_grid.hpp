#pragma once
// This file divides an instance (a distributed array over a rectangle) into blocks and assigns the
// blocks to PEs. Either one PE owns all blocks, or the blocks are distributed to all PEs
// cyclically.

#include "atoll/base/bits.hpp"
#include "atoll/index_space.hpp"
#include "atoll/pe.hpp"

namespace atl::regions {

/// Throws atl::error (input) if `extent`, the extent of a block in one dimension, is less than
/// `least`.
void check_block(std::int64_t extent, std::int64_t least);

/// Returns how many blocks of `block` elements are needed to hold `extent` elements. The last block
/// may be incomplete. `block` must be positive.
constexpr std::int64_t blocks_in(std::int64_t extent, std::int64_t block) {
  return extent / block + (extent % block != 0);
}

/// A rectangle divided into blocks, which are numbered in row-major order. The object is trivially
/// copyable and has the same content on all PEs.
template <std::size_t N>
struct block_grid {
  static constexpr std::int32_t k_all = -1;

  rectangle<N> bounds;
  point<N> block = ones();  ///< extents of a block, all of them positive
  /// PE that owns all blocks; k_all if the blocks are distributed to all PEs
  std::int32_t owner = k_all;

  /// Returns the number of blocks in each dimension.
  point<N> blocks() const {
    point<N> all{};
    for (std::size_t axis = 0; axis < N; ++axis)
      all[axis] = blocks_in(bounds.extent(axis), block[axis]);
    return all;
  }
  std::uint64_t number_of_blocks() const { return rectangle_of(blocks()).volume(); }
  std::uint64_t block_volume() const { return rectangle_of(block).volume(); }

  /// Returns the points of block `which`. A block at the border of the rectangle may be smaller
  /// than `block`.
  rectangle<N> points_of(const point<N>& which) const {
    rectangle<N> points;
    for (std::size_t axis = 0; axis < N; ++axis) {
      points.low[axis] = bounds.low[axis] + which[axis] * block[axis];
      points.high[axis] =
          points.low[axis] + std::min(block[axis], bounds.high[axis] - points.low[axis]);
    }
    return points;
  }

  /// Returns the rectangle of all blocks that contain at least one of `points`. All points must lie
  /// within the bounds.
  rectangle<N> blocks_of(const rectangle<N>& points) const {
    rectangle<N> which;
    for (std::size_t axis = 0; axis < N && !points.empty(); ++axis) {
      which.low[axis] = (points.low[axis] - bounds.low[axis]) / block[axis];
      which.high[axis] = (points.high[axis] - 1 - bounds.low[axis]) / block[axis] + 1;
    }
    return which;
  }

  int owner_of(const point<N>& which) const {
    return owner != k_all ? owner : static_cast<int>(number_of(which) % all_pes());
  }
  /// Returns the index of block `which` among the blocks of its owner.
  std::uint64_t place_of(const point<N>& which) const {
    return owner != k_all ? number_of(which) : number_of(which) / all_pes();
  }
  /// Returns the largest number of blocks per PE.
  std::uint64_t blocks_a_pe() const {
    const std::uint64_t all = number_of_blocks();
    return owner != k_all ? all : ceil_divide(all, all_pes());
  }

 private:
  static constexpr point<N> ones() {
    point<N> all{};
    all.fill(1);
    return all;
  }
  static std::uint64_t all_pes() { return static_cast<std::uint64_t>(pes()); }
  std::uint64_t number_of(const point<N>& which) const {
    const point<N> all = blocks();
    std::uint64_t number = 0;
    for (std::size_t axis = 0; axis < N; ++axis)
      number =
          number * static_cast<std::uint64_t>(all[axis]) + static_cast<std::uint64_t>(which[axis]);
    return number;
  }
};

/// Divides a rectangle into slices of at most `most` points each. Each slice is itself a rectangle:
/// several whole rows, or a part of one row. The slices are numbered in row-major order.
template <std::size_t N>
class slices {
 public:
  slices(const rectangle<N>& whole, std::uint64_t most) : whole_(whole) {
    if (whole.empty()) return;
    const auto limit = static_cast<std::int64_t>(std::max<std::uint64_t>(1, most));
    std::int64_t row = 1;  // points of a slice whose extent in the dimension `cut_` is 1
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
  // Side of a tile of 8-byte elements; a tile is the unit in which data are transposed
  // (strided.cpp). If a slice could have more than `k_whole_tiles` rows, its number of rows is
  // rounded down to a multiple of `k_whole_tiles`. For elements of 8 or 16 bytes, the rounding
  // avoids most incomplete tiles at the ends of slices, except in the last slice of a dimension.
  static constexpr std::int64_t k_whole_tiles = 64;

  rectangle<N> whole_;
  std::size_t cut_ = 0;
  std::int64_t steps_ = 1;
  std::int64_t cuts_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace atl::regions
