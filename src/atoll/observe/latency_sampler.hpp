#pragma once

#include "atoll/histogram.hpp"
#include "atoll/observe/counters.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace atl::observe {

/// Times some of the operations a task waits for, so that the others cost a count-down. Its own PE
/// only; times in nanoseconds. What it has timed lies here, not in the frames of the tasks.
class latency_sampler {
 public:
  /// One operation of so many; a prime, so that programs do not keep step with it.
  static constexpr std::uint32_t period = 61;

  /// The operation that begins now is one to time.
  bool is_due() { return counts && --until_next_ == 0; }

  /// Begins to time it; returns what `end` is given. 0: it is not timed, so many are.
  std::uint8_t begin(std::int64_t now) {
    until_next_ = period;
    if (free_ == 0) return 0;
    const int place = std::countr_zero(free_);
    free_ &= free_ - 1;
    begun_[static_cast<std::size_t>(place)] = now;
    return static_cast<std::uint8_t>(place + 1);
  }

  void end(std::uint8_t timed, std::int64_t now) {
    const unsigned place = timed - 1u;
    latencies_.add(static_cast<std::uint64_t>(now - begun_[place]));
    free_ |= std::uint64_t{1} << place;
  }

  const log_histogram& latencies() const { return latencies_; }

 private:
  std::uint32_t until_next_ = 1;
  std::uint64_t free_ = ~std::uint64_t{0};
  std::array<std::int64_t, 64> begun_{};
  log_histogram latencies_;
};

}  // namespace atl::observe
