#pragma once
// A PE that dies by a fatal signal says which one it is and shows its backtrace.

#include "atoll/job/signal_scope.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>

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

}  // namespace atl::job
