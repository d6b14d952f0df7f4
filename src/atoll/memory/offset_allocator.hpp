#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace atl::memory {

/// Gives out ranges of [begin, end): first fit, neighbours joined when they come back. Ranges of at
/// least a huge page begin at one, at `large_begin` or behind it; smaller ones at a cache line.
class offset_allocator {
 public:
  /// Bytes that all lengths are multiples of.
  static constexpr std::uint64_t unit = 64;

  offset_allocator(std::uint64_t begin, std::uint64_t end, std::uint64_t large_begin = 0);

  /// The begin of a free range, now taken; nothing when no gap is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// Gives back the range that begins at `offset` and returns its length.
  std::uint64_t release(std::uint64_t offset);

 private:
  std::uint64_t large_begin_;
  std::map<std::uint64_t, std::uint64_t> free_;   // begin -> length
  std::map<std::uint64_t, std::uint64_t> taken_;  // begin -> length
};

}  // namespace atl::memory
