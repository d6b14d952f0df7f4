#pragma once
// Asking for memory before it is needed.

namespace atl {

/// How many accesses ahead `bring_near` is asked for what they touch.
inline constexpr unsigned long k_near_distance = 128;

/// Asks for the line at `at` in the second-level cache. A processor has more of these under way at
/// once than of those for the first level, of which it cannot have more than by running ahead.
/// (Inlined always: g++ takes a function that only prefetches for one without effects, and drops
/// its calls.)
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace atl
