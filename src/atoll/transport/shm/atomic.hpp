#pragma once
// The type of atomic words by which PEs pass buffers to each other. The tests in
// tests/transport/litmus replace this type by a model of memory. With this model, the tests check
// endpoint, region and doorbell in all executions of small scenarios that C++ allows.

#include <atomic>

namespace atl::transport::shm {

template <class T>
using atomic = std::atomic<T>;

/// Number of polls between two readings of the clock, for a PE that spins before it sleeps. Reading
/// the clock takes longer than a poll.
inline constexpr int pauses_between_looks_at_the_clock = 16;

}  // namespace atl::transport::shm
