#pragma once
// Atomic words of the hand-over between PEs. tests/transport/litmus replaces this type by a model
// of memory. That model checks endpoint, region and doorbell in all executions of small scenarios
// that C++ allows.

#include <atomic>

namespace atl::transport::shm {

template <class T>
using atomic = std::atomic<T>;

/// Looks per reading of the clock, for a PE that spins before it sleeps. One reading suffices for
/// many looks.
inline constexpr int pauses_between_looks_at_the_clock = 16;

}  // namespace atl::transport::shm
