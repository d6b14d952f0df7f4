#pragma once
// Copies bytes that another core will read. If one core writes a ring and another core reads it, a
// cache line of the ring moves between their caches twice per use. On AMD processors these two
// moves cost several times as much as an access to memory. A sender therefore fills a buffer in
// private memory, which stays in its cache. The sender then copies the buffer by non-temporal
// stores, which write to memory. Intel processors use ordinary stores, because a reader gets lines
// faster from another cache (measured in docs/decisions/0003 and 0011).

#include "atoll/base/stream_line.hpp"

namespace atl::transport::shm {

/// Minimum bytes for non-temporal stores, which are not faster than ordinary stores for shorter
/// data.
inline constexpr std::size_t smallest_streamed = 256;

/// Returns whether data moves faster between cores through memory than through caches, as on all
/// but Intel processors.
inline bool streams_between_cores() noexcept {
  static const bool streams = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") == 0;
  }();
  return streams;
}

/// Copies `bytes` bytes to memory that another core will read. `to` and `from` must be aligned to
/// 64 bytes. Other cores see later stores only after the copy. The function may write up to 63
/// bytes more than `bytes`.
inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= smallest_streamed && streams_between_cores()) {
    for (std::size_t at = 0; at < bytes; at += k_cache_line) stream_line(to + at, from + at);
    stream_fence();
    return;
  }
  std::memcpy(to, from, bytes);
}

}  // namespace atl::transport::shm
