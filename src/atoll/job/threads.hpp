#pragma once
// Functions that read the state of threads from /proc, for the hang watch and for a process that is
// about to fork PEs.

#include <cstdint>
#include <sys/types.h>

namespace atl::job {

struct thread_state {
  /// State of the thread as ps prints it, such as 'R' or 'S'; '?' if unknown.
  char letter = '?';
  /// Processor time that the thread has used, in units of 10 ms.
  std::uint64_t processor_ticks = 0;
  /// True if the thread is known to be in a system call that writes.
  bool writes = false;
  /// Whether the process has other runnable threads that do not belong to Atoll.
  bool helpers_run = false;

  bool is_stopped() const noexcept { return letter == 'T' || letter == 't'; }

  /// Returns whether the thread runs, waits for a processor, or waits for a disk.
  bool is_runnable() const noexcept { return letter == 'R' || letter == 'D'; }
};

/// Reads the state of a thread from /proc. If /proc does not contain the thread, returns an unknown
/// state.
thread_state state_of_thread(pid_t process, pid_t thread);

/// Returns whether any thread of `process` other than `but` and the calling thread is runnable,
/// according to /proc.
bool others_run(pid_t process, pid_t but);

/// Prepares this process for forking PEs. A forked PE has only a copy of the forking thread, and
/// would wait forever for work of other threads. The function therefore ends the threads that
/// OpenMP (libgomp) keeps between parallel regions; OpenMP starts new ones when needed. If the
/// process has further threads, a warning is printed once. Do not call this function within a
/// parallel region.
void look_at_threads_before_fork();

}  // namespace atl::job
