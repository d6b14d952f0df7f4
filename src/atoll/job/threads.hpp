#pragma once
// The kernel says of each thread what it does, whatever process it belongs to. The watch over hangs
// asks it, and so does a process that is about to be forked.

#include <cstdint>
#include <sys/types.h>

namespace atl::job {

struct thread_state {
  char letter = '?';                  ///< as in ps; '?': nothing is known
  std::uint64_t processor_ticks = 0;  ///< time it has used its processor, 10 ms each
  bool writes = false;       ///< it is in a system call that writes, as far as one may know
  bool helpers_run = false;  ///< other threads of its process, not of Atoll, are runnable

  bool is_stopped() const noexcept { return letter == 'T' || letter == 't'; }

  /// It runs, or waits for a processor or a disk.
  bool is_runnable() const noexcept { return letter == 'R' || letter == 'D'; }
};

/// Reads /proc.
thread_state state_of_thread(pid_t process, pid_t thread);

/// Whether a thread of the process is runnable, `but` and the calling thread apart. Reads /proc.
bool others_run(pid_t process, pid_t but);

/// Called before PEs are forked: a child has only the thread that forks, and waits for ever where
/// it needs another one. Ends the threads that OpenMP (libgomp) keeps between parallel regions, for
/// each process makes new ones with its next region. Warns, once in a process, where there are
/// other threads. Not within a parallel region.
void look_at_threads_before_fork();

}  // namespace atl::job
