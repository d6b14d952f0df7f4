#pragma once
// A PE may end before its job does: by a fatal signal, because it is killed, or because it calls
// `exit`. This file reports such an end, and ends the job.

#include "atoll/job/signal_scope.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <sys/types.h>

namespace atl::job {

/// Reports crashes while it exists. SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print "atoll: PE 1:
/// signal 11 (Segmentation fault)" and a backtrace, and then have their usual effect. A signal that
/// a sanitizer or the program already handles is left alone.
class crash_reports {
 public:
  enum class of : std::uint8_t {
    own_processes,
    ranks  ///< waits for others to report, because the launcher ends all ranks with the first
  };

  explicit crash_reports(of which = of::own_processes);

 private:
  signal_actions actions_;
};

/// A stack for the handler, so that a stack overflow is reported, too, and the number of this
/// thread's PE. One per thread that is a PE.
class crash_stack {
 public:
  explicit crash_stack(int pe);
  ~crash_stack();
  crash_stack(const crash_stack&) = delete;
  crash_stack& operator=(const crash_stack&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;  // null if the thread has such a stack already
};

/// Sets the PE that this thread runs from now on, for a thread that runs several.
void name_pe_of_this_thread(int pe) noexcept;

/// Returns the PE that this thread runs; 0 if it runs none.
int pe_of_this_thread() noexcept;

// The next functions report, on standard error, a PE that has ended before its job. `last_site` is
// a site_word: the place where the task started last was spawned.

/// How far a PE has come when it dies.
enum class life_stage : std::uint8_t { before_body, in_body, between_jobs };

/// Prints which PE has died, and why. `wait_status` comes from waitpid. Signal handlers may call
/// this.
void say_death(int pe, int wait_status, std::uint64_t last_site,
               life_stage stage = life_stage::in_body) noexcept;

/// Prints which PE has called `exit(status)`, and that the job ends with `ends_with`.
void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept;

// If a body calls `exit`, the other PEs would wait for it forever, and so would MPI. The call
// therefore ends the whole job, in the same way however the PEs were started.

/// Makes `exit(n)` in this process end the job while this object exists, and prints which PE has
/// called it. The status of the job is n, or `k_status_exception` if n is 0, because the job is
/// incomplete. Functions that the program registered by `atexit` before its first job do not run
/// then. A process forked by the body ends by `exit` with its own status, and the job is
/// unaffected.
class exit_hook {
 public:
  struct actions {
    /// Returns the word of the last site that the PE noted.
    std::function<std::uint64_t(int pe)> last_site;
    /// Ends the other PEs. When this returns, the process ends.
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

/// Calls `handler` with the status when the process ends by `exit`. The library with the handler
/// stays loaded, because unloading it would leave a dangling pointer.
inline void call_at_exit(void (*handler)(int status, void*)) noexcept {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(handler), &self) != 0)
    dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  ::on_exit(handler, nullptr);
}

}  // namespace atl::job
