#pragma once

#include "atoll/observe/counters.hpp"

#include <cstdint>
#include <utility>

namespace atl::observe {

/// Divides the time of a PE among its activities: each moment belongs to the lap that ends next.
/// Its own PE only. Times are those of the PE (transport::endpoint::now), in nanoseconds.
class lap_clock {
 public:
  void start(std::int64_t now) { last_ = now; }

  /// The end of the last lap.
  std::int64_t last() const { return last_; }

  /// Adds the time since the last lap, but for what was `spent_within` it. Returns when it began.
  std::int64_t lap(counter& nanoseconds, std::int64_t now) {
    nanoseconds += static_cast<std::uint64_t>(now - last_) - within_;
    within_ = 0;
    return std::exchange(last_, now);
  }

  /// Part of the present lap was another activity.
  void spent_within(counter& nanoseconds, std::int64_t begin, std::int64_t end) {
    const auto time = static_cast<std::uint64_t>(end - begin);
    nanoseconds += time;
    within_ += time;
  }

 private:
  std::int64_t last_ = 0;
  std::uint64_t within_ = 0;
};

}  // namespace atl::observe
