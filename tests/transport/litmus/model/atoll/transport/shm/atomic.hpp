#pragma once
// This header replaces src/atoll/transport/shm/atomic.hpp.

#include "transport/litmus/model_atomic.hpp"

namespace atl::transport::shm {

template <class T>
using atomic = litmus::atomic<T>;

/// The model has no pauses between looks at the clock: the looks before and after see as much.
inline constexpr int pauses_between_looks_at_the_clock = 0;

}  // namespace atl::transport::shm
