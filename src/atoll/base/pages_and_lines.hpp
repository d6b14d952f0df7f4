#pragma once
// Page sizes of x86-64 in bytes, and the prefetch of cache lines.

#include <cstdint>

namespace atl {

inline constexpr std::uint64_t k_page = 4096;
inline constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

/// Prefetch distance: a loop prefetches the memory of the access that comes this many accesses
/// later.
inline constexpr unsigned long k_near_distance = 128;

/// Prefetches the cache line that contains `at` into the second-level cache. More prefetches into
/// the second level can be in flight than into the first level. The function is always inlined: g++
/// assumes that a function that only prefetches has no effects, and drops its calls.
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace atl
