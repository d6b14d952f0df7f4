#pragma once
// Handing bytes to another core. A line that one core has written and another reads goes from cache
// to cache, twice a round of the ring, which on processors of AMD costs several times what the
// memory does. So buffers are filled in private memory, which stays in the sender's cache, and
// leave by stores that go around it; on processors of Intel by ordinary ones, for there the reader
// finds them sooner in a cache (measured: docs/decisions/0003 and 0011).

#include "atoll/base/stream_line.hpp"

namespace atl::transport::shm {

/// Below this, what is left in the cache is as near to the receiver as the memory.
inline constexpr std::size_t smallest_streamed = 256;

/// Whether this machine's cores hand over sooner by way of the memory.
inline bool streams_between_cores() noexcept {
  static const bool streams = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") == 0;
  }();
  return streams;
}

/// Copies to memory that another core will read; both aligned to 64 bytes. What is stored after it
/// is seen after it. May write up to 63 bytes beyond `bytes`.
inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= smallest_streamed && streams_between_cores()) {
    for (std::size_t at = 0; at < bytes; at += k_cache_line) stream_line(to + at, from + at);
    stream_fence();
    return;
  }
  std::memcpy(to, from, bytes);
}

}  // namespace atl::transport::shm
