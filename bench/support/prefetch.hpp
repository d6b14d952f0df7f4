#pragma once
// Asking for memory before it is needed, as the runtime does for what messages touch.

namespace bench {

/// How many accesses ahead `bring_near` is asked for what they touch: as many as in the runtime.
inline constexpr unsigned long near_distance = 128;

/// Asks for the line at `at` in the second-level cache, of which a processor has more under way at
/// once than of those for the first. (Inlined always: g++ takes a function that only prefetches for
/// one without effects, and drops its calls.)
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace bench
