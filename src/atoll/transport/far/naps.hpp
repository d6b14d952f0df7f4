#pragma once
// How a PE waits for messages of other nodes: nobody rings a bell for them, so it looks again and
// again, at first whenever it has given its core away, then less and less often between naps.

#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::transport::far {

/// How long a PE keeps looking often. One whose core nobody else needs takes no nap for a while,
/// and then naps that are short beside what it has slept: where PEs wait for each other in a
/// circle, each of them sleeps for the sum of what the naps of all delay, and must not sleep the
/// longer for it.
struct vigilance {
  std::uint64_t looks;  ///< the core is only given away so often, before the first nap
  nanoseconds share;    ///< a nap takes one part in so many of what has been slept
};

inline vigilance vigilance_of(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? vigilance{patience_of_owner * idle_yields, 64} : vigilance{idle_yields, 1};
}

class naps {
 public:
  explicit naps(const vigilance& of) : looks_(of.looks), share_(of.share) {}

  /// How long to sleep before the next look; 0: the core is given away once.
  nanoseconds next() {
    if (looks_ > 0) return --looks_, 0;
    const nanoseconds nap = std::clamp(slept_ / share_, shortest, longest);
    slept_ += nap;
    return nap;
  }

 private:
  static constexpr nanoseconds shortest = 20'000;
  static constexpr nanoseconds longest = 500'000;

  std::uint64_t looks_;
  nanoseconds share_;
  nanoseconds slept_ = 0;
};

}  // namespace atl::transport::far
