#pragma once
// Runs a program of a few threads again and again, on a stack each. It ends when every execution
// that the memory model allows (execution.hpp) has been seen. A thread stops at each atomic
// operation. Which thread goes on, and what it reads, is a choice; all choices are tried, depth
// first.
//
// Executions that differ only in the turns of the threads count as one. When two successive events
// do not depend on each other, only the turn in which the thread with the lower number comes first
// is tried. A state that was reached before is not continued.

#include "transport/litmus/execution.hpp"
#include "transport/litmus/mutation.hpp"

#include <functional>
#include <set>
#include <source_location>
#include <string>

namespace atl::litmus {

struct program {
  /// Runs before each execution; must set all words to their first values.
  std::function<void()> set_up = [] {};

  /// Threads that read the same values must do the same, and no exception may leave them.
  std::vector<std::function<void()>> threads;

  /// Runs after each complete execution; may use `newest` and `require`.
  std::function<void()> at_the_end = [] {};

  /// Threads that may be asleep at the end, as bits: they were already woken for what they needed.
  unsigned may_sleep = 0;
};

struct verdict {
  std::string failure;  ///< empty: no failure; else what failed, and the events that led to it
  std::uint64_t complete = 0;   ///< executions to the end
  std::uint64_t runs = 0;       ///< runs of the program, complete or not
  std::uint64_t too_long = 0;   ///< executions that were not followed to the end
  std::set<std::string> sites;  ///< sites of the library that were reached
};

/// Runs all executions, or those up to the first that fails. An execution fails if a thread sleeps
/// forever, bytes are read or written in a data race, or a `require` does not hold.
verdict explore(const program& tested, const mutation& changed = {});

// ---- for the threads of a program

/// Ends the execution as a failure unless the condition holds.
void require(bool holds, const char* what);

/// Notes that the thread has read, or written, plain bytes, known by their address.
void read_bytes(const void* at);
void write_bytes(const void* at, std::source_location from = std::source_location::current());

/// Returns whether one of the threads runs.
bool is_in_thread();

/// Performs the operation, as the thread that runs.
word perform(const operation& next, const std::source_location& from);

/// Returns the value of a word at the end.
word newest_value(const void* at, word initial);

}  // namespace atl::litmus
