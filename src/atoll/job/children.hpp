#pragma once
// The forked PEs of a job, as their parent has them.

#include "atoll/job/wire.hpp"

#include <optional>
#include <sys/types.h>
#include <vector>

namespace atl::job {

/// Their process ids, and how they have ended. Adding is the starter's, all else the guard's.
class children {
 public:
  explicit children(int pes) : running_(static_cast<std::size_t>(pes)) {}

  /// Kills those that still run, and waits for their end.
  ~children();
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  /// One that has ended: its PE, and what waitpid says of it.
  struct end {
    int pe;
    int wait_status;
  };

  void add(int pe, pid_t child) noexcept;

  /// One that has ended and has not been returned yet; never a process that is no PE.
  std::optional<end> reap() noexcept;

  /// Sends a signal to all that run. May be called by a signal handler.
  void send(int signal) const noexcept;
  void kill_all() noexcept;

  /// Blocks until none runs.
  void wait_for_all() noexcept;

  /// Any thread.
  int count() const noexcept { return count_.load(std::memory_order_seq_cst); }

 private:
  std::vector<pid_t> running_;  ///< by PE; 0: none, or ended
  std::atomic<int> count_{0};
};

}  // namespace atl::job
