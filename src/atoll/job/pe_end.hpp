#pragma once
// A PE may come to its end before its job does: by a fatal signal, because somebody kills it, or
// because it calls `exit`. This file says so, and ends the job.

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

/// For as long as it lives, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print "atoll: PE 1: signal
/// 11 (Segmentation fault)" and a backtrace, and then have their usual effect. A signal somebody
/// else already handles (a sanitizer, the program) is left alone.
class crash_reports {
 public:
  enum class of : std::uint8_t {
    own_processes,
    ranks  ///< others have time to say why, for the launcher ends all when the first one has ended
  };

  explicit crash_reports(of which = of::own_processes);

 private:
  signal_actions actions_;
};

/// A stack for the handler, so that also an overflow of the stack is reported, and the number of
/// this thread's PE. One in each thread that is a PE.
class crash_stack {
 public:
  explicit crash_stack(int pe);
  ~crash_stack();
  crash_stack(const crash_stack&) = delete;
  crash_stack& operator=(const crash_stack&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;  // null where the thread has such a stack already
};

/// The PE that this thread runs from now on; for a thread that runs several.
void name_pe_of_this_thread(int pe) noexcept;

/// The PE this thread runs; 0 where it runs none.
int pe_of_this_thread() noexcept;

// These functions report, on standard error, a PE that has ended before its job. `last_site` is a
// site_word: where the task it started last was spawned.

/// How far a PE has come when it dies.
enum class life_stage : std::uint8_t { before_body, in_body, between_jobs };

/// Which PE has died of what. `wait_status` is as waitpid gives it. For signal handlers too.
void say_death(int pe, int wait_status, std::uint64_t last_site,
               life_stage stage = life_stage::in_body) noexcept;

/// Which PE has called `exit(status)`, and that the job ends with `ends_with`.
void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept;

// A body may call `exit`: the other PEs would wait for it for ever, and MPI would, too. So it ends
// the whole job, by one rule however the PEs were started.

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

/// `handler` is called when the process ends by `exit`, with its status. A library that is unloaded
/// would leave it behind, so the library stays loaded.
inline void call_at_exit(void (*handler)(int status, void*)) noexcept {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(handler), &self) != 0)
    dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  ::on_exit(handler, nullptr);
}

}  // namespace atl::job
