#pragma once
// Units of time for tests, in nanoseconds as the transport uses them.

#include "atoll/transport/transport.hpp"

namespace atl::transport {

inline constexpr nanoseconds microsecond = 1'000;
inline constexpr nanoseconds millisecond = 1'000'000;
inline constexpr nanoseconds second = 1'000'000'000;

}  // namespace atl::transport
