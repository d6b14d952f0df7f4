#pragma once
// This file copies a network buffer to memory that another core will read. With ordinary stores,
// each cache line of the buffer moves between the caches of the two cores twice per use. On AMD
// processors, two moves of a line between caches cost several times as much as an access to memory.
// A sender therefore fills a buffer in private memory, which stays in its cache. The sender then
// copies the buffer by non-temporal stores, which write to memory and not to the cache. On Intel
// processors, the copy uses ordinary stores, because a reader gets lines faster from another cache
// than from memory (measured in docs/decisions/0003 and 0011).

#include "atoll/base/stream_line.hpp"

namespace atl::transport::shm {

/// Minimum size in bytes of a copy by non-temporal stores. For less data, ordinary stores are as
/// fast.
inline constexpr std::size_t smallest_streamed = 256;

/// Returns true if data moves faster between cores through memory than through caches. The result
/// is false on Intel processors only.
inline bool streams_between_cores() noexcept {
  static const bool streams = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") == 0;
  }();
  return streams;
}

/// Copies `bytes` bytes from `from` to `to`, which is memory that another core will read. Both
/// addresses must be aligned to 64 bytes. If another core sees a later store of the caller, the
/// core also sees the copy. The function may write up to 63 bytes after the end of the copy.
inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= smallest_streamed && streams_between_cores()) {
    for (std::size_t at = 0; at < bytes; at += k_cache_line) stream_line(to + at, from + at);
    stream_fence();
    return;
  }
  std::memcpy(to, from, bytes);
}

}  // namespace atl::transport::shm
