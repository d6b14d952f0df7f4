#pragma once
// Declares functions that run another program and wait for it.

#include <optional>
#include <sched.h>
#include <string>
#include <vector>

namespace atl::app {

struct child_result {
  int status = 0;      ///< exit status, or 128 + signal; 127 when there is no such program
  std::string output;  ///< text written to standard output
};

/// Returns the processors on which this thread may run now; nothing if the system does not tell.
std::optional<cpu_set_t> present_processors();

/// Runs a program with arguments, found through PATH if its name has no slash; standard error is
/// inherited. The program may run on `processors`, or by default on those of this thread: a PE has
/// only its own core. Blocks. The child gets SIGTERM when this process dies. Throws `error`
/// (environment) if no process can be made.
child_result run_child(const std::vector<std::string>& command,
                       const std::optional<cpu_set_t>& processors = std::nullopt);

/// Returns the file that `program` names in PATH, or "" if there is none.
std::string find_in_path(const std::string& program);

}  // namespace atl::app
