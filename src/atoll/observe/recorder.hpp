#pragma once
// The recorder of a PE holds all measurements of that PE: counters, times of activities, latencies,
// a trace and a status.

#include "atoll/histogram.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/observe/status_board.hpp"
#include "atoll/observe/trace.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace atl::observe {

/// Divides the time of a PE among its activities. A lap is the time between two calls of `lap`. The
/// call at the end of a lap states the activity to which the lap is added. Only the PE itself uses
/// the object. Times are in nanoseconds of the PE's clock (transport::endpoint::now).
class lap_clock {
 public:
  void start(std::int64_t now) { last_ = now; }

  /// Returns the time at which the last lap ended.
  std::int64_t last() const { return last_; }

  /// Ends the present lap at `now`, and adds the length of the lap to the counter `nanoseconds`.
  /// The function subtracts the time that `spent_within` has counted for other activities. Returns
  /// the time at which the lap began.
  std::int64_t lap(counter& nanoseconds, std::int64_t now) {
    nanoseconds += static_cast<std::uint64_t>(now - last_) - within_;
    within_ = 0;
    return std::exchange(last_, now);
  }

  /// Adds the time from `begin` to `end` to `nanoseconds`, the counter of an activity that
  /// interrupted the present lap. The time from `begin` to `end` must lie within the present lap.
  /// At the end of the lap, the function `lap` does not count the time from `begin` to `end` again.
  void spent_within(counter& nanoseconds, std::int64_t begin, std::int64_t end) {
    const auto time = static_cast<std::uint64_t>(end - begin);
    nanoseconds += time;
    within_ += time;
  }

 private:
  std::int64_t last_ = 0;
  std::uint64_t within_ = 0;
};

/// Measures how long tasks wait for operations, for a sample of the operations. Operations outside
/// of the sample cost only a decrement. Only the PE itself uses the object. Times are in
/// nanoseconds. The sampler stores the start times, because start times in the tasks would enlarge
/// the frame of each task.
class latency_sampler {
 public:
  /// The sampler measures every 61st operation. The period is prime, so that the sample does not
  /// always hit the same place of a program's loop.
  static constexpr std::uint32_t period = 61;

  /// Returns whether the operation that begins now belongs to the sample.
  bool is_due() { return counts && --until_next_ == 0; }

  /// Begins to measure an operation and returns the argument for `end`. If 64 measurements are
  /// already in progress, returns 0 and does not measure the operation. The caller must not call
  /// `end` with 0.
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

/// All measurements of one PE. All layers of the runtime write to this object. The code that writes
/// must run on the measured PE.
struct recorder {
  counters counted;
  lap_clock time;
  trace_ring trace;
  status_writer status;
  /// Latency of function calls on other PEs. A latency lasts from the suspension of the waiting
  /// task to its resumption.
  latency_sampler delegates;

  /// Adds an event without duration to the trace, at the end of the last lap. Does nothing if the
  /// job is not traced.
  void note(traced what, int peer, std::uint64_t count, std::uint64_t amount = 0,
            std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({time.last(), time.last(), what, peer, count, amount, where});
  }

  /// Adds the lap that has just ended to the trace, as an event that lasted from `begin` to the end
  /// of the lap.
  void note_lap(traced what, std::int64_t begin, std::uint64_t count = 0, std::uint64_t amount = 0,
                std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({begin, time.last(), what, 0, count, amount, where});
  }
};

}  // namespace atl::observe
