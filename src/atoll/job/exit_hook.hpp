#pragma once
// What happens when a body calls `exit`: the other PEs would wait for it for ever, and MPI would,
// too. So it ends the whole job, by one rule however the PEs were started.

#include <atomic>
#include <cstdint>
#include <functional>
#include <sys/types.h>

namespace atl::job {

/// As long as it lives, `exit(n)` in this process says which PE has called it, and ends the job
/// with status n; with `k_status_exception` where n is 0, for the job has not come to its end. What
/// the program has registered by `atexit` before its first job does not run then. A process that
/// the body has forked ends by `exit` with its own status, and nothing of the job does.
class exit_hook {
 public:
  struct actions {
    /// The word of the site the PE noted last.
    std::function<std::uint64_t(int pe)> last_site;
    /// Ends the other PEs. When it returns, this process ends.
    std::function<void(int exit_status)> end_job;
  };

  explicit exit_hook(actions actions);
  ~exit_hook();
  exit_hook(const exit_hook&) = delete;
  exit_hook& operator=(const exit_hook&) = delete;

 private:
  static void on_exit(int status, void*);

  const actions actions_;
  const pid_t process_;
  exit_hook* const former_;
};

}  // namespace atl::job
