#pragma once

#include "atoll/base/pe.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace atl::tasks {

/// Reports a task that runs longer than the setting stall-time without a switch to another task.
/// The stall time is processor time, so waiting for the processor does not count. While a task runs
/// without a switch, its PE delivers no messages. Reports go to standard error. The detector costs
/// one signal whenever its PE has used the processor for the stall time; the scheduler does no
/// extra work. Each PE has one detector, on the PE's thread.
class stall_detector {
 public:
  /// `stall_time` is in nanoseconds; 0 turns the detector off. The detector is also off if the
  /// build does not count switches (ATOLL_COUNTERS=OFF). If the kernel refuses a timer, the
  /// detector prints a warning and is off, because the job can run without reports.
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
