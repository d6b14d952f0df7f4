#pragma once

#include "atoll/task.hpp"

#include <algorithm>
#include <cstdint>

namespace atl::graph {

/// Number of simple steps that take about 50 us, for which other tasks of the PE wait.
inline constexpr std::uint64_t k_stretch = std::uint64_t{1} << 14;

/// Runs a long loop of one task: calls `body(begin, end)` for stretches of [first, last), in order
/// and at most `stretch` long. Other tasks run between stretches.
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
