#pragma once
// Sizes of pages of x86-64, and the prefetch of cache lines.

#include <cstdint>

namespace atl {

inline constexpr std::uint64_t k_page = 4096;
inline constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

/// Distance of `bring_near`, in accesses: how far ahead of an access its memory is prefetched.
inline constexpr unsigned long k_near_distance = 128;

/// Prefetches the line at `at` into the second-level cache. Prefetches into the first level are
/// limited like out-of-order misses; into the second level more can be in flight. The function is
/// always inlined: g++ assumes that a function that only prefetches has no effects, and drops its
/// calls.
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace atl
