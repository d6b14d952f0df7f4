#pragma once
// This file copies and fills elements at regular distances in memory. Regular distances can
// describe a rectangle of up to three dimensions with any layout. The file also transposes
// matrices.

#include <array>
#include <cstddef>
#include <cstdint>

namespace atl::regions {

// The next functions copy and fill elements at regular distances in memory.

/// The extents of a rectangle in three dimensions. If the rectangle has fewer dimensions, the
/// missing extents are 1.
using extents = std::array<std::int64_t, 3>;

/// A rectangle in memory. `at` is the address of the rectangle's lowest corner. `step` is the
/// distance in bytes of neighbouring elements, for each dimension.
struct strided {
  std::byte* at = nullptr;
  std::array<std::int64_t, 3> step{};
};

/// The amount of data that a copy writes. `large` data exceed the caches, so stores bypass the
/// caches where that is faster.
enum class amount : std::uint8_t { cached, large };

/// Copies `extent` elements of `bytes` bytes each. Source and target must not overlap.
void copy_strided(const strided& to, const strided& from, extents extent, std::size_t bytes,
                  amount whole = amount::cached);

/// Returns true if the elements, of `bytes` bytes each, are contiguous in row-major order.
bool is_dense(const strided& all, const extents& extent, std::size_t bytes);

/// Copies the `bytes` bytes at `value` to each element.
void fill_strided(const strided& to, extents extent, const std::byte* value, std::size_t bytes);

/// A source and a target that a copy traverses together. For speed, the constructor reorders the
/// dimensions so that the last one has the smallest steps in the target. The constructor also
/// merges two dimensions into one if source and target allow a single stride for both dimensions.
struct strided_pair {
  strided to;
  strided from;
  extents extent;

  strided_pair(const strided& to, const strided& from, extents extent);

  /// Calls `row(to, from)` for each row along the last dimension. The arguments are the addresses
  /// of the row's first element in the target and in the source.
  template <class Row>
  void for_each_row(const Row& row) const {
    for (std::int64_t i = 0; i < extent[0]; ++i)
      for (std::int64_t j = 0; j < extent[1]; ++j)
        row(to.at + i * to.step[0] + j * to.step[1], from.at + i * from.step[0] + j * from.step[1]);
  }
};

// The next function transposes a matrix while it copies the matrix.

/// A matrix to transpose. Element (j, k) of the target is at `to` + j * `to_step` + k * size.
/// Element (j, k) of the target is read from `from` + k * `from_step` + j * size.
struct plane {
  std::byte* to;
  std::int64_t to_step;
  const std::byte* from;
  std::int64_t from_step;
  std::int64_t rows;     ///< number of rows of `to`
  std::int64_t columns;  ///< number of columns of `to`
};

/// Transposes a matrix with elements of `bytes` bytes. Source and target must not overlap. `whole`
/// states whether the data exceed the caches.
void transpose(const plane& all, std::size_t bytes, amount whole);

}  // namespace atl::regions
