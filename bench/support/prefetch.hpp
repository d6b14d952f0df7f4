#pragma once
// Prefetching, with the parameters that the runtime uses for memory that messages access.

namespace bench {

/// Distance of the prefetch in accesses, the same as in the runtime.
inline constexpr unsigned long near_distance = 128;

/// Prefetches the line at `at` into the L2 cache. A processor can have more prefetches in flight
/// into L2 than into L1. The function is always inlined, because g++ removes calls of functions
/// that only prefetch.
[[gnu::always_inline]] inline void bring_near(const void* at) { __builtin_prefetch(at, 0, 2); }

}  // namespace bench
