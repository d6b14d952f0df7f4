#pragma once
// Page sizes of x86-64 in bytes, and the prefetch of cache lines.

#include <cstdint>

namespace atl {

inline constexpr std::uint64_t k_page = 4096;
inline constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

/// Prefetch distance in accesses. A loop prefetches the memory that it will access 128 accesses
/// later.
inline constexpr unsigned long k_near_distance = 128;

/// Prefetches the cache line that contains `at` into the second-level cache. A core can have more
/// prefetches in flight into the second-level cache than into the first-level cache. The function
/// must be inlined, because g++ removes calls of a function that only prefetches.
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace atl
