#pragma once
// Runs a program of a few threads again and again. Each thread has a stack of its own. The
// exploration ends when every execution that the memory model allows (execution.hpp) has been run.
// A thread stops at each atomic operation. Whenever a thread stops, the explorer chooses the next
// thread, and the value that the next thread reads. All choices are tried, depth first.
//
// Executions that differ only in the interleaving of the threads count as one execution. If two
// successive events do not depend on each other, the explorer tries only one order of them: the
// thread with the lower number comes first. A state that was reached before is not explored again.

#include "transport/litmus/execution.hpp"
#include "transport/litmus/mutation.hpp"

#include <functional>
#include <set>
#include <source_location>
#include <string>

namespace atl::litmus {

struct program {
  /// Runs before each execution, and must set all words to their initial values.
  std::function<void()> set_up = [] {};

  /// A thread must behave in the same way whenever it reads the same values. No exception may leave
  /// a thread.
  std::vector<std::function<void()>> threads;

  /// Runs after each complete execution. The function may call `newest` and `require`.
  std::function<void()> at_the_end = [] {};

  /// Bit i is set if thread i may be asleep at the end, for example because its work is done.
  unsigned may_sleep = 0;
};

struct verdict {
  /// Describes what failed and which events led to the failure; empty if nothing failed.
  std::string failure;
  std::uint64_t complete = 0;  ///< number of executions that ran to the end
  std::uint64_t runs = 0;      ///< number of runs of the program, complete or not
  /// number of executions that were stopped because they were too long
  std::uint64_t too_long = 0;
  std::set<std::string> sites;  ///< the sites of the library that the executions reached
};

/// Runs all executions, or stops at the first execution that fails. An execution fails if a thread
/// sleeps forever, bytes are read or written in a data race, or a `require` does not hold.
verdict explore(const program& tested, const mutation& changed = {});

// ---- for the threads of a program

/// Ends the execution as a failure if the condition does not hold.
void require(bool holds, const char* what);

/// Records that the running thread reads or writes plain bytes. The address `at` identifies the
/// bytes.
void read_bytes(const void* at);
void write_bytes(const void* at, std::source_location from = std::source_location::current());

/// Returns true while one of the program's threads runs.
bool is_in_thread();

/// Performs an operation for the thread that is running.
word perform(const operation& next, const std::source_location& from);

/// Returns the value of a word at the end of the execution.
word newest_value(const void* at, word initial);

}  // namespace atl::litmus
