#pragma once
// What the hand-over between PEs is made of. tests/transport/litmus puts a model of memory in its
// place, so that endpoint, region and doorbell are checked in all executions of small
// scenarios that C++ allows: the words of the hand-over are of this type.

#include <atomic>

namespace atl::transport::shm {

template <class T>
using atomic = std::atomic<T>;

/// Of a PE that looks around before it sleeps. One look sees what many could.
inline constexpr int pauses_between_looks_at_the_clock = 16;

}  // namespace atl::transport::shm
