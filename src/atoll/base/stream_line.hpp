#pragma once
// Stores that go around the caches, for memory that this core does not read again soon.

#include <cstddef>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace atl {

inline constexpr std::size_t k_cache_line = 64;

/// Copies a cache line; both sides are aligned to one. Seen by others after `stream_fence`.
inline void stream_line(std::byte* to, const std::byte* from) {
#if defined(__SSE2__)
  const auto* line = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  const __m128i a = _mm_load_si128(line), b = _mm_load_si128(line + 1);
  const __m128i c = _mm_load_si128(line + 2), d = _mm_load_si128(line + 3);
  _mm_stream_si128(target, a);
  _mm_stream_si128(target + 1, b);
  _mm_stream_si128(target + 2, c);
  _mm_stream_si128(target + 3, d);
#else
  std::memcpy(to, from, k_cache_line);
#endif
}

/// What is stored after it is seen after what was streamed before it.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace atl
