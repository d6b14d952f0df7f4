#pragma once
// The type of the atomic words by which PEs pass buffers to each other. The tests in
// tests/transport/litmus replace the atomic type by a simulation of the C++ memory model. With the
// simulation, the tests check small scenarios in all executions that C++ allows.

#include <atomic>

namespace atl::transport::shm {

template <class T>
using atomic = std::atomic<T>;

/// Number of polls between two readings of the clock while a PE spins. The number is above 1,
/// because reading the clock takes longer than a poll.
inline constexpr int pauses_between_looks_at_the_clock = 16;

}  // namespace atl::transport::shm
