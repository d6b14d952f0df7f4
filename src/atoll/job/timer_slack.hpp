#pragma once
// How late this thread's timed sleeps may end.

namespace atl::job {

/// As long as it lives, a timed sleep of this thread ends when its time is over. By default Linux
/// lets it end 50 us late, to wake several sleepers at once: as long as an idle PE sleeps between
/// two looks for far messages. Where the kernel refuses, sleeps are late as before.
class short_timer_slack {
 public:
  short_timer_slack() noexcept;
  ~short_timer_slack();
  short_timer_slack(const short_timer_slack&) = delete;
  short_timer_slack& operator=(const short_timer_slack&) = delete;

 private:
  int former_;  // nanoseconds; negative: unknown
};

}  // namespace atl::job
