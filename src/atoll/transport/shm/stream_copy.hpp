#pragma once
// Copies bytes for another core. A cache line written by one core and read by another moves between
// caches twice per round of the ring. On AMD processors that costs several times as much as memory
// does. Buffers are therefore filled in private memory, which stays in the sender's cache, and
// copied by non-temporal stores. Intel processors use ordinary stores, because their readers find
// lines sooner in a cache (measured: docs/decisions/0003 and 0011).

#include "atoll/base/stream_line.hpp"

namespace atl::transport::shm {

/// Shorter data left in the cache is as near to the receiver as memory.
inline constexpr std::size_t smallest_streamed = 256;

/// Returns whether cores of this machine hand data over faster through memory.
inline bool streams_between_cores() noexcept {
  static const bool streams = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") == 0;
  }();
  return streams;
}

/// Copies to memory that another core will read; both are aligned to 64 bytes. Later stores are
/// seen after the copy. May write up to 63 bytes beyond `bytes`.
inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= smallest_streamed && streams_between_cores()) {
    for (std::size_t at = 0; at < bytes; at += k_cache_line) stream_line(to + at, from + at);
    stream_fence();
    return;
  }
  std::memcpy(to, from, bytes);
}

}  // namespace atl::transport::shm
