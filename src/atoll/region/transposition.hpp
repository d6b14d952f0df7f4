#pragma once
// A matrix copied so that its rows become columns, at the speed of memory.

#include "atoll/region/strided.hpp"

namespace atl::regions {

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

/// The two sides do not overlap.
void transpose(const plane& all, std::size_t bytes, amount whole);

}  // namespace atl::regions
