#pragma once

#include "atoll/base/pe.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace atl::tasks {

/// Reports, on standard error, a task that has used the processor for the setting stall-time
/// without a switch. Meanwhile its PE delivers no message. The detector costs a signal per
/// stall-time of processor time, and nothing in the scheduler. One per PE, on the PE's thread.
class stall_detector {
 public:
  /// `stall_time` is in ns; 0: off. The detector is also off if switches are not counted
  /// (ATOLL_COUNTERS=OFF). It is off with a warning if the kernel provides no timer, on which
  /// nothing else depends.
  stall_detector(pe& self, std::int64_t stall_time);
  ~stall_detector();
  stall_detector(const stall_detector&) = delete;
  stall_detector& operator=(const stall_detector&) = delete;

 private:
  bool start();
  bool refused(const char* what, int reason) const;
  static void on_signal(int, siginfo_t* info, void*);
  void look();
  void report() const;

  pe& self_;
  std::int64_t stall_time_;
  std::uint64_t switches_seen_ = 0;
  bool reported_ = false;
  int reports_ = 0;
  timer_t timer_{};
};

}  // namespace atl::tasks
