#pragma once
// The kernel reports the state of each thread of any process. The hang watch reads this state, and
// so does a process that is about to be forked.

#include <cstdint>
#include <sys/types.h>

namespace atl::job {

struct thread_state {
  char letter = '?';                  ///< as in ps; '?': unknown
  std::uint64_t processor_ticks = 0;  ///< processor time used, in units of 10 ms
  bool writes = false;                ///< in a system call that writes, as far as known
  bool helpers_run = false;           ///< other threads of its process, not Atoll's, are runnable

  bool is_stopped() const noexcept { return letter == 'T' || letter == 't'; }

  /// Returns whether the thread runs, or waits for a processor or a disk.
  bool is_runnable() const noexcept { return letter == 'R' || letter == 'D'; }
};

/// Returns the state of a thread, from /proc.
thread_state state_of_thread(pid_t process, pid_t thread);

/// Returns whether a thread of the process is runnable, except `but` and the calling thread. Reads
/// /proc.
bool others_run(pid_t process, pid_t but);

/// Prepares the process for forking PEs. A child has only the thread that forks, and would wait
/// forever for any other. Ends the threads that OpenMP (libgomp) keeps between parallel regions;
/// each process makes new ones with its next region. Warns, once per process, if there are other
/// threads. Must not be called within a parallel region.
void look_at_threads_before_fork();

}  // namespace atl::job
