#pragma once
// A PE may end before its job ends: by a fatal signal, or because it calls `exit`. The functions
// below report the early end of a PE and end the job.

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

/// Reports crashes as long as this object exists. If SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT
/// arrives, the process prints a backtrace and a line such as "atoll: PE 1: signal 11 (Segmentation
/// fault)". After the report, the signal has its usual effect. If a sanitizer or the program
/// already handles a fatal signal, its handler is kept.
class crash_reports {
 public:
  enum class of : std::uint8_t {
    own_processes,
    /// After a report, the process waits 200 ms before it ends, so that the launcher forwards the
    /// report.
    ranks
  };

  explicit crash_reports(of which = of::own_processes);

 private:
  signal_actions actions_;
};

/// Gives this thread a stack for signal handlers, so that a stack overflow can be reported. Also
/// sets the number of this thread's PE. Each thread that runs a PE has one `crash_stack`.
class crash_stack {
 public:
  explicit crash_stack(int pe);
  ~crash_stack();
  crash_stack(const crash_stack&) = delete;
  crash_stack& operator=(const crash_stack&) = delete;

 private:
  // The stack; null if the thread had a stack for signal handlers already.
  std::unique_ptr<std::byte[]> memory_;
};

/// Sets the PE that this thread runs from now on. A thread that runs several simulated PEs calls
/// this function at each switch.
void name_pe_of_this_thread(int pe) noexcept;

/// Returns the PE that this thread runs, or 0 if the thread runs no PE.
int pe_of_this_thread() noexcept;

// The next functions report on standard error that a PE has ended before its job. `last_site` is
// the place where the PE's last task was spawned, as a `site_word`.

/// States whether a PE has died before its body began, in its body, or between two jobs.
enum class life_stage : std::uint8_t { before_body, in_body, between_jobs };

/// Prints that `pe` has died and why. `wait_status` is the status that waitpid has returned for the
/// PE. Signal handlers may call this function.
void say_death(int pe, int wait_status, std::uint64_t last_site,
               life_stage stage = life_stage::in_body) noexcept;

/// Prints that `pe` has called `exit(status)`, and that the job ends with the status `ends_with`.
void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept;

// If the body of a PE called `exit` without an `exit_hook`, the other PEs and MPI would wait for
// this PE forever.

/// While this object exists, a call of `exit(n)` in this process ends the whole job, and prints
/// which PE has called `exit`. The status of the job is n, or `k_status_exception` if n is 0,
/// because the job is incomplete. Functions that the program has registered by `atexit` before its
/// first job do not run. If the body forks a process, a call of `exit` in that process does not
/// affect the job.
class exit_hook {
 public:
  struct actions {
    /// Returns the place where the last task of `pe` was spawned, as a `site_word`.
    std::function<std::uint64_t(int pe)> last_site;
    /// Ends the other PEs. The process ends when this function returns.
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

/// Makes `exit` call `handler` with the exit status. The library that contains the handler stays
/// loaded, because unloading it would leave a dangling pointer.
inline void call_at_exit(void (*handler)(int status, void*)) noexcept {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(handler), &self) != 0)
    dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  ::on_exit(handler, nullptr);
}

}  // namespace atl::job
