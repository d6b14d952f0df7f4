#pragma once
// Elements at regular distances in memory, which can describe a rectangle with any layout. The file
// also transposes matrices.

#include <array>
#include <cstddef>
#include <cstdint>

namespace atl::regions {

// Copies and fills of elements at regular distances in memory.

/// Extents in three dimensions. If a rectangle has fewer dimensions, the missing ones have the
/// extent 1.
using extents = std::array<std::int64_t, 3>;

/// A rectangle in memory: the address of its lowest corner, and the bytes of one step in each
/// dimension.
struct strided {
  std::byte* at = nullptr;
  std::array<std::int64_t, 3> step{};
};

/// Tells whether the data exceed the caches. Stores of large data bypass the caches where that is
/// faster.
enum class amount : std::uint8_t { cached, large };

/// Copies elements of `bytes` bytes. Source and target must not overlap.
void copy_strided(const strided& to, const strided& from, extents extent, std::size_t bytes,
                  amount whole = amount::cached);

/// Returns true if the elements are contiguous in row-major order.
bool is_dense(const strided& all, const extents& extent, std::size_t bytes);

/// Stores the `bytes` bytes at `value` in each element.
void fill_strided(const strided& to, extents extent, const std::byte* value, std::size_t bytes);

/// A source and a target that are traversed together. Dimensions are reordered so that `to` has its
/// smallest steps in the last dimension. Two dimensions are merged into one if they are contiguous
/// on both sides.
struct strided_pair {
  strided to;
  strided from;
  extents extent;

  strided_pair(const strided& to, const strided& from, extents extent);

  /// Calls `row(to, from)` with the first elements of each row along the last dimension.
  template <class Row>
  void for_each_row(const Row& row) const {
    for (std::int64_t i = 0; i < extent[0]; ++i)
      for (std::int64_t j = 0; j < extent[1]; ++j)
        row(to.at + i * to.step[0] + j * to.step[1], from.at + i * from.step[0] + j * from.step[1]);
  }
};

// Copies of a matrix in which rows become columns, at the speed of the memory.

/// A matrix to transpose. Element (j, k) is read at `from` + k * `from_step` + j * its size. The
/// element is written at `to` + j * `to_step` + k * its size.
struct plane {
  std::byte* to;
  std::int64_t to_step;
  const std::byte* from;
  std::int64_t from_step;
  std::int64_t rows;     ///< number of rows of `to`
  std::int64_t columns;  ///< number of columns of `to`
};

/// Transposes a matrix. Source and target must not overlap.
void transpose(const plane& all, std::size_t bytes, amount whole);

}  // namespace atl::regions
