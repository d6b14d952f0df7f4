#pragma once
// A program that runs beside the scheduler of its PE, from its own `main` on. The program hands
// tasks to the PE and waits for them. The scheduler either has a stack of its own in the thread of
// the program, and runs while the program waits. Or it has a thread of its own, and any thread of
// the program may wait.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <functional>

namespace atl::shmem {

class program {
 public:
  using work = std::function<task<>()>;

  virtual ~program() = default;

  /// Joins the job of this process, collectively. Returns when `first`, a task on each PE, has
  /// ended. Throws atl::error. If the job fails later, this process ends.
  virtual void start(const settings& options, const work& first) = 0;

  /// Runs a task on this PE. Returns when it has ended, and throws an exception that left it. If
  /// the job has ended early, this process ends.
  virtual void await(const work& asked) = 0;

  /// Leaves the job, collectively; afterwards there are no PEs.
  virtual void finish() = 0;

  /// Returns the address after the call of the program that waits for the scheduler, or null if it
  /// is not known. The scheduler calls it.
  virtual const void* caller() { return nullptr; }

  /// Returns true if the caller may do on its own stack what tasks of the PE do.
  virtual bool is_pe() const = 0;
};

/// Returns the program for one calling thread.
program& program_beside_fiber();

/// Returns the program for many calling threads.
program& program_beside_thread();

/// Runs a task on this PE by the program in use. An exception that leaves the task ends the job,
/// with a message that begins with `call`.
void await(const char* call, const program::work& asked);

/// Ends this process, whose job has ended.
[[noreturn]] void leave(int exit_status);

}  // namespace atl::shmem
