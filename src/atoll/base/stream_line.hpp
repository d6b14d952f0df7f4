#pragma once
// Non-temporal stores write to memory without filling the caches. Use non-temporal stores for
// memory that the core does not read again soon.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace atl {

inline constexpr std::size_t k_cache_line = 64;

/// Copies one cache line of 64 bytes from `from` to `to`, which must be aligned to 64 bytes. Call
/// `stream_fence` before another core is told to read the line.
inline void stream_line(std::byte* to, const std::byte* from) {
#if defined(__SSE2__)
  const auto* line = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  const __m128i a = _mm_loadu_si128(line), b = _mm_loadu_si128(line + 1);
  const __m128i c = _mm_loadu_si128(line + 2), d = _mm_loadu_si128(line + 3);
  _mm_stream_si128(target, a);
  _mm_stream_si128(target + 1, b);
  _mm_stream_si128(target + 2, c);
  _mm_stream_si128(target + 3, d);
#else
  std::memcpy(to, from, k_cache_line);
#endif
}

/// Orders stores: other cores see later stores only after the earlier non-temporal stores.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Copies `bytes` bytes from `from` to `to`. Whole cache lines of `to` are written by non-temporal
/// stores. Call `stream_fence` before another core is told to read the bytes.
inline void stream_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(to) % k_cache_line;
  const std::size_t head = beyond == 0 ? 0 : std::min(bytes, k_cache_line - beyond);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + k_cache_line <= bytes; at += k_cache_line) stream_line(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
}

}  // namespace atl
