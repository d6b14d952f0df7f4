#pragma once
// The counters of the context-switch programs. Each task has a counter, and each counter has a
// cache line of its own.

#include <cstdint>

#include "support/huge_array.hpp"

namespace bench {

struct alignas(64) line_counter {
  std::uint64_t value;
};

inline std::uint64_t sum(const huge_array<line_counter>& counters) {
  std::uint64_t total = 0;
  for (const auto& counter : counters) total += counter.value;
  return total;
}

}  // namespace bench
