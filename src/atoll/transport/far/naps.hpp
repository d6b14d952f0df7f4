#pragma once
// How a PE waits for messages of other nodes: nobody rings a bell for them, so it looks again and
// again, at first whenever it has given its core away, then less and less often between naps.

#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <utility>

namespace atl::transport::far {

class naps {
 public:
  explicit naps(std::uint64_t yields) : yields_(yields) {}

  /// How long to sleep before the next look; 0: the core is given away once.
  nanoseconds next() {
    if (yields_ > 0) return --yields_, 0;
    return std::exchange(nap_, std::min(2 * nap_, longest));
  }

 private:
  static constexpr nanoseconds first = 20'000;
  static constexpr nanoseconds longest = 500'000;

  std::uint64_t yields_;
  nanoseconds nap_ = first;
};

}  // namespace atl::transport::far
