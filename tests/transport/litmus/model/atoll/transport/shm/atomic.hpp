#pragma once
// Stands in the place of src/atoll/transport/shm/atomic.hpp.

#include "transport/litmus/model_atomic.hpp"

namespace atl::transport::shm {

template <class T>
using atomic = litmus::atomic<T>;

/// The looks before and after those see as much.
inline constexpr int pauses_between_looks_at_the_clock = 0;

}  // namespace atl::transport::shm
