#pragma once
// An OpenSHMEM program has its own `main`, but the PE needs a scheduler that runs tasks. This file
// lets the program pass tasks to the scheduler and wait for the tasks. If only one thread of the
// program makes calls, the scheduler shares this thread: the scheduler has its own stack, and runs
// only while the program waits. If several threads make calls, the scheduler runs on a thread of
// its own, and any thread of the program may pass tasks.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <functional>

namespace atl::shmem {

class program {
 public:
  using work = std::function<task<>()>;

  virtual ~program() = default;

  /// Makes this process a PE of its job, and runs the task `first`. All processes of the job must
  /// call this function. Returns when the task has ended. Throws atl::error. If the job fails after
  /// the start, this process ends.
  virtual void start(const settings& options, const work& first) = 0;

  /// Runs the task `asked` on this PE, and returns when the task has ended. Rethrows an exception
  /// of the task. If the job has ended early, this process ends.
  virtual void await(const work& asked) = 0;

  /// Leaves the job. All PEs must call this function. After the call, this process is no longer a
  /// PE.
  virtual void finish() = 0;

  /// Returns the return address of the program's call that waits for the scheduler, or null if the
  /// address is not known. Only the scheduler calls this function, for error messages.
  virtual const void* caller() { return nullptr; }

  /// Returns true if the calling thread is the PE's own thread. The PE's own thread may itself
  /// perform all operations that tasks of the PE may perform. Other threads must call `await`.
  virtual bool is_pe() const = 0;
};

/// Returns the object for programs in which only one thread makes calls. The scheduler shares the
/// thread that makes the calls.
program& program_beside_fiber();

/// Returns the object for programs in which several threads make calls. The scheduler runs on a
/// thread of its own.
program& program_beside_thread();

/// Runs the task `asked` on this PE, and waits until the task has ended. An exception of the task
/// ends the job with an error message, which begins with `call`.
void await(const char* call, const program::work& asked);

/// Flushes the standard output and ends this process.
[[noreturn]] void leave(int exit_status);

}  // namespace atl::shmem
