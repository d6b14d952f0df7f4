#pragma once
// This header replaces src/atoll/transport/shm/atomic.hpp.

#include "transport/litmus/model_atomic.hpp"

namespace atl::transport::shm {

template <class T>
using atomic = litmus::atomic<T>;

/// The model does not pause between reads of the clock, because pauses would not change what the
/// threads see.
inline constexpr int pauses_between_looks_at_the_clock = 0;

}  // namespace atl::transport::shm
