#pragma once
// Records of a PE: counters, the time of its activities, latencies, a trace and a status.

#include "atoll/histogram.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/observe/status_board.hpp"
#include "atoll/observe/trace.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace atl::observe {

/// Divides the time of a PE among its activities: each moment belongs to the lap that ends next.
/// Used by its own PE only. Times are those of the PE (transport::endpoint::now), in nanoseconds.
class lap_clock {
 public:
  void start(std::int64_t now) { last_ = now; }

  /// Returns the end of the last lap.
  std::int64_t last() const { return last_; }

  /// Ends a lap: adds the time since the last lap, except the time `spent_within` it. Returns when
  /// the lap began.
  std::int64_t lap(counter& nanoseconds, std::int64_t now) {
    nanoseconds += static_cast<std::uint64_t>(now - last_) - within_;
    within_ = 0;
    return std::exchange(last_, now);
  }

  /// Counts a part of the current lap as another activity.
  void spent_within(counter& nanoseconds, std::int64_t begin, std::int64_t end) {
    const auto time = static_cast<std::uint64_t>(end - begin);
    nanoseconds += time;
    within_ += time;
  }

 private:
  std::int64_t last_ = 0;
  std::uint64_t within_ = 0;
};

/// Measures the latency of some of the operations that tasks wait for; the others only cost a
/// countdown. Used by its own PE only; times are in nanoseconds. Start times are stored here, not
/// in the frames of tasks.
class latency_sampler {
 public:
  /// One operation in `period` is timed. The number is prime, so that programs do not keep step
  /// with it.
  static constexpr std::uint32_t period = 61;

  /// Returns whether the operation that begins now should be timed.
  bool is_due() { return counts && --until_next_ == 0; }

  /// Begins to time an operation. Returns the argument for `end`; 0: too many are timed already,
  /// and this one is not.
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

/// Records of a PE, written by the layers; used by its own PE only.
struct recorder {
  counters counted;
  lap_clock time;
  trace_ring trace;
  status_writer status;
  latency_sampler delegates;  ///< latency of blocking delegates, from suspension to resumption

  /// Traces an event that has no duration, or a time of its own. Does nothing if the job is not
  /// traced.
  void note(traced what, int peer, std::uint64_t count, std::uint64_t amount = 0,
            std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({time.last(), time.last(), what, peer, count, amount, where});
  }

  /// Traces the lap that has just ended.
  void note_lap(traced what, std::int64_t begin, std::uint64_t count = 0, std::uint64_t amount = 0,
                std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({begin, time.last(), what, 0, count, amount, where});
  }
};

}  // namespace atl::observe
