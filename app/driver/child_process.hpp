#pragma once
// Declares functions that run another program and wait for it.

#include <optional>
#include <sched.h>
#include <string>
#include <vector>

namespace atl::app {

struct child_result {
  /// Exit status, or 128 + the number of the signal; 127 if there is no such program.
  int status = 0;
  std::string output;  ///< text that the program wrote to standard output
};

/// Returns the processors on which this thread may run now, or nothing if the system cannot tell.
std::optional<cpu_set_t> present_processors();

/// Runs a program and waits for its end. If the name of the program has no slash, the program is
/// searched in PATH. Standard error is inherited. The program may run on `processors`. By default,
/// the program may run only on the processors of the calling thread. For a program that needs
/// several processors, pass `processors`, because the thread of a PE is usually bound to one
/// processor. The child process gets SIGTERM if this process dies. Throws `error` (environment) if
/// no process can be created.
child_result run_child(const std::vector<std::string>& command,
                       const std::optional<cpu_set_t>& processors = std::nullopt);

/// Returns the path of the file that PATH finds for `program`, or an empty text if there is none.
std::string find_in_path(const std::string& program);

}  // namespace atl::app
