#pragma once
// How a PE waits for messages of other nodes: nobody rings a bell for them, so it looks again and
// again, at first whenever it has given its core away, then less and less often between naps.

#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <utility>

namespace atl::transport::far {

/// A nap ends late, by some 55 us; a PE whose core nobody else needs takes none for a while.
inline std::uint64_t looks_before_naps(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? patience_of_owner * idle_yields : idle_yields;
}

class naps {
 public:
  /// So often the core is only given away, before the first nap.
  explicit naps(std::uint64_t looks) : looks_(looks) {}

  /// How long to sleep before the next look; 0: the core is given away once.
  nanoseconds next() {
    if (looks_ > 0) return --looks_, 0;
    return std::exchange(nap_, std::min(2 * nap_, longest));
  }

 private:
  static constexpr nanoseconds first = 20'000;
  static constexpr nanoseconds longest = 500'000;

  std::uint64_t looks_;
  nanoseconds nap_ = first;
};

}  // namespace atl::transport::far
