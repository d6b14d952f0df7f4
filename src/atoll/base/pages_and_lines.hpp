#pragma once
// Memory of x86-64 has pages of two sizes, and lines that a processor may be asked for before it
// needs them.

#include <cstdint>

namespace atl {

inline constexpr std::uint64_t k_page = 4096;
inline constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

/// How many accesses ahead `bring_near` is asked for what they touch.
inline constexpr unsigned long k_near_distance = 128;

/// Asks for the line at `at` in the second-level cache. A processor has more of these under way at
/// once than of those for the first level, of which it cannot have more than by running ahead.
/// (Inlined always: g++ takes a function that only prefetches for one without effects, and drops
/// its calls.)
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace atl
