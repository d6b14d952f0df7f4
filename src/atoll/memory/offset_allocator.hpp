#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace atl::memory {

/// Gives out ranges of [begin, end): first fit, neighbours joined when they come back. Ranges of at
/// least a huge page begin at one; smaller ones at a cache line.
class offset_allocator {
 public:
  offset_allocator(std::uint64_t begin, std::uint64_t end);

  /// The begin of a free range, now taken; nothing when no gap is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// Gives back the range that begins at `offset` and returns its length.
  std::uint64_t release(std::uint64_t offset);

 private:
  std::map<std::uint64_t, std::uint64_t> free_;   // begin -> length
  std::map<std::uint64_t, std::uint64_t> taken_;  // begin -> length
};

}  // namespace atl::memory
