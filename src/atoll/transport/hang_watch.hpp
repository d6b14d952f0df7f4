#pragma once
// The watch over hangs: a thread beside PE 0 that looks at all PEs from time to time, and answers
// SIGUSR1.

#include "atoll/transport/hang_judge.hpp"
#include "atoll/transport/job_watch.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace atl::transport {

/// Made when all PEs have been started (a process with threads should not fork), destroyed before
/// the region and the job_watch. Prints who waits where when the job hangs, and ends it with
/// `k_status_hang`; prints the same whenever SIGUSR1 comes.
class hang_watch {
 public:
  /// `timeout` of 0: only SIGUSR1 is answered. Throws `error` (environment) when no thread can be
  /// started.
  hang_watch(shm::region& region, job_watch& watch, nanoseconds timeout);
  ~hang_watch();
  hang_watch(const hang_watch&) = delete;
  hang_watch& operator=(const hang_watch&) = delete;

 private:
  void run();
  void look(nanoseconds elapsed);
  void end_job(const std::string& why);
  std::vector<pe_sample> samples();
  pe_sample sample(int pe);  // without its thread
  thread_state thread_of(int pe);

  /// The report, a line each; waits for the answers of the PEs, a second at most.
  std::string who_waits();
  bool wait_for_answers(std::uint32_t question);
  bool silent_pe_runs();
  bool has_answered(int pe, std::uint32_t question);
  std::string why_silent(int pe);

  shm::region& region_;
  job_watch& watch_;
  const nanoseconds timeout_;
  hang_judge judge_;
  std::uint32_t question_ = 0;                ///< the last that was asked
  std::vector<std::uint64_t> progress_seen_;  // by PE
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace atl::transport
