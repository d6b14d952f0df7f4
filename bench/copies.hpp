#pragma once
// Measures copies of a two-dimensional block between region instances. For comparison, the
// benchmark measures memcpy of the same number of bytes.

#include "atoll/task.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace atl::bench::copies {

/// The memory from which the block is copied. The destination is always private memory of PE 0.
enum class source : std::uint8_t {
  own,         ///< private memory of PE 0
  symmetric,   ///< symmetric memory of the last PE, which PE 0 reads directly
  other,       ///< private memory of the last PE, which sends the block
  transposed,  ///< private memory of PE 0; the copy transposes rows and columns
};
inline constexpr std::array<std::string_view, 4> k_source_names = {"own", "symmetric", "other",
                                                                   "transposed"};

struct outcome {
  std::array<double, k_source_names.size()> seconds{};
  double memcpy_seconds = 0;
  std::uint64_t bytes = 0;
  std::uint64_t wrong_elements = 0;
};

/// Returns the largest number of bytes that PE 0 holds at a time, which is the size of two
/// instances.
std::uint64_t bytes_of_pe_0(std::int64_t side);

/// Copies a block of `side` * `side` words once from each source. The instances are larger than the
/// block. The main task calls this function.
task<outcome> measure(std::int64_t side);

}  // namespace atl::bench::copies
