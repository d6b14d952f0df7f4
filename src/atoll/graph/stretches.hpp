#pragma once

#include "atoll/task.hpp"

#include <algorithm>
#include <cstdint>

namespace atl::graph {

/// Number of iterations of a simple loop after which other tasks of the PE can run. `k_stretch`
/// iterations take about 50 microseconds.
inline constexpr std::uint64_t k_stretch = std::uint64_t{1} << 14;

/// Runs a long loop of one task in pieces, so that other tasks can run between the pieces. Calls
/// `body(begin, end)` for consecutive ranges of [first, last), each at most `stretch` long.
template <class Body>
task<> in_stretches(std::uint64_t first, std::uint64_t last, Body body,
                    std::uint64_t stretch = k_stretch) {
  for (std::uint64_t begin = first; begin < last;) {
    const std::uint64_t end = begin + std::min(stretch, last - begin);
    body(begin, end);
    begin = end;
    co_await yield();
  }
}

}  // namespace atl::graph
