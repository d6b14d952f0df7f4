#pragma once
// Elements at regular distances in memory, which describe a rectangle of any layout, and the
// transposition of matrices.

#include <array>
#include <cstddef>
#include <cstdint>

namespace atl::regions {

// Elements at regular distances in memory, which describe a rectangle of any layout. One kernel
// copies them, another one fills them.

/// Extents in three dimensions; missing dimensions of a rectangle are 1 long.
using extents = std::array<std::int64_t, 3>;

/// The address of the element at the lowest corner, and the bytes of one step in each dimension.
struct strided {
  std::byte* at = nullptr;
  std::array<std::int64_t, 3> step{};
};

/// Tells whether the stored data exceed the caches. Large data bypass the caches if that pays.
enum class amount : std::uint8_t { cached, large };

/// Copies elements of `bytes` bytes. The two sides must not overlap.
void copy_strided(const strided& to, const strided& from, extents extent, std::size_t bytes,
                  amount whole = amount::cached);

/// Returns true if the elements are contiguous, the last dimension running fastest.
bool is_dense(const strided& all, const extents& extent, std::size_t bytes);

/// Stores the `bytes` bytes at `value` in each element.
void fill_strided(const strided& to, extents extent, const std::byte* value, std::size_t bytes);

/// Two sides that are traversed together. The innermost dimension is the last, where `to` has its
/// smallest steps. Dimensions that continue each other on both sides are joined.
struct strided_pair {
  strided to;
  strided from;
  extents extent;

  strided_pair(const strided& to, const strided& from, extents extent);

  /// Calls `row(to, from)` with the begin of each row of the last dimension.
  template <class Row>
  void for_each_row(const Row& row) const {
    for (std::int64_t i = 0; i < extent[0]; ++i)
      for (std::int64_t j = 0; j < extent[1]; ++j)
        row(to.at + i * to.step[0] + j * to.step[1], from.at + i * from.step[0] + j * from.step[1]);
  }
};

// Copies of a matrix in which rows become columns, at the speed of memory.

/// Element (j, k) is read at from + k * from_step + j * its size, and written at to + j * to_step +
/// k * its size.
struct plane {
  std::byte* to;
  std::int64_t to_step;
  const std::byte* from;
  std::int64_t from_step;
  std::int64_t rows;     ///< of `to`
  std::int64_t columns;  ///< of `to`
};

/// Transposes a plane. The two sides must not overlap.
void transpose(const plane& all, std::size_t bytes, amount whole);

}  // namespace atl::regions
