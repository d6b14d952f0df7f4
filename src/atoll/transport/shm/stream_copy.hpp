#pragma once
// Handing bytes to another core. A line that one core has written and another reads goes from cache
// to cache, twice a round of the ring, which costs several times what the memory does (measured:
// docs/decisions/0003). So buffers are filled in private memory, which stays in the sender's cache,
// and leave by stores that go around it.

#include <cstddef>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace atl::transport::shm {

/// Below this, what is left in the cache is as near to the receiver as the memory.
inline constexpr std::size_t smallest_streamed = 256;

/// Copies to memory that another core will read; both aligned to 64 bytes. What is stored after it
/// is seen after it. May write up to 63 bytes beyond `bytes`.
inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  if (bytes >= smallest_streamed) {
    for (std::size_t at = 0; at < bytes; at += 64) {
      const auto* line = reinterpret_cast<const __m128i*>(from + at);
      auto* target = reinterpret_cast<__m128i*>(to + at);
      const __m128i a = _mm_load_si128(line), b = _mm_load_si128(line + 1);
      const __m128i c = _mm_load_si128(line + 2), d = _mm_load_si128(line + 3);
      _mm_stream_si128(target, a);
      _mm_stream_si128(target + 1, b);
      _mm_stream_si128(target + 2, c);
      _mm_stream_si128(target + 3, d);
    }
    _mm_sfence();
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace atl::transport::shm
