#pragma once
// A program that runs beside the scheduler of its PE. The program keeps its own `main`, passes
// tasks to the PE, and waits for them. The scheduler can share the thread of the program: it then
// has a stack of its own, and runs while the program waits. Or the scheduler has a thread of its
// own, and any thread of the program may wait.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <functional>

namespace atl::shmem {

class program {
 public:
  using work = std::function<task<>()>;

  virtual ~program() = default;

  /// Joins the job of this process. The call is collective. Returns when `first`, a task on each
  /// PE, has ended. Throws atl::error. If the job fails later, this process ends.
  virtual void start(const settings& options, const work& first) = 0;

  /// Runs a task on this PE, and returns when the task has ended. Rethrows an exception that the
  /// task threw. If the job has ended early, this process ends.
  virtual void await(const work& asked) = 0;

  /// Leaves the job. The call is collective. Afterwards this process is not a PE.
  virtual void finish() = 0;

  /// Returns the address after the call of the program that waits for the scheduler, or null if the
  /// address is not known. Only the scheduler calls it.
  virtual const void* caller() { return nullptr; }

  /// Returns true if the calling thread is the PE's thread. The PE's thread may do everything that
  /// tasks of the PE may do, on its own stack.
  virtual bool is_pe() const = 0;
};

/// Returns the program object for programs in which only one thread makes calls. The scheduler
/// shares that thread.
program& program_beside_fiber();

/// Returns the program object for programs in which several threads make calls. The scheduler has a
/// thread of its own.
program& program_beside_thread();

/// Runs a task on this PE, and waits for it. An exception from the task ends the job. The message
/// begins with `call`.
void await(const char* call, const program::work& asked);

/// Ends this process, because its job has ended.
[[noreturn]] void leave(int exit_status);

}  // namespace atl::shmem
