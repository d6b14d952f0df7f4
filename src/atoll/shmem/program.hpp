#pragma once
// A program that runs beside the scheduler of its PE, from its own `main` on: it hands the PE tasks
// and waits for them. Either the scheduler has a stack of its own in the thread of the program, and
// runs while that waits; or it has a thread of its own, and any thread of the program may wait.

#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <functional>

namespace atl::shmem {

class program {
 public:
  using work = std::function<task<>()>;

  virtual ~program() = default;

  /// Joins the job of this process, collectively: returns when `first`, a task on each PE, has
  /// ended. Throws atl::error. (A job that fails later ends this process.)
  virtual void start(const settings& options, const work& first) = 0;

  /// Runs a task on this PE; returns when it has ended, and throws what has left it. Where the job
  /// has ended early, this process ends.
  virtual void await(const work& asked) = 0;

  /// Leaves the job, collectively: behind it there are no PEs.
  virtual void finish() = 0;

  /// Of the call that waits for the scheduler: the address behind it in the program, null where
  /// that is not known. By the scheduler.
  virtual const void* caller() { return nullptr; }

  /// Whether the caller may do on its own stack what tasks of the PE do.
  virtual bool is_pe() const = 0;
};

/// For programs of which one thread calls.
program& program_beside_fiber();

/// For programs whose threads all call.
program& program_beside_thread();

/// Runs a task on this PE, by the program that runs now; what leaves it ends the job, and the words
/// begin with `call`.
void await(const char* call, const program::work& asked);

/// Ends this process, whose job has ended.
[[noreturn]] void leave(int exit_status);

}  // namespace atl::shmem
