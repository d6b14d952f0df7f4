#pragma once
// Runs another program and waits for it.

#include <optional>
#include <sched.h>
#include <string>
#include <vector>

namespace atl::app {

struct child_result {
  int status = 0;      ///< exit status, or 128 + signal; 127 when there is no such program
  std::string output;  ///< what it wrote to standard output
};

/// The processors this thread may run on now; nothing where the system does not say.
std::optional<cpu_set_t> present_processors();

/// Runs a program (found through PATH when its name has no slash) with arguments; its standard
/// error is ours. It may run on `processors`, or where this thread may: a PE has only its own core.
/// Blocks. The child gets SIGTERM when this process dies. Throws `error` (environment) when no
/// process can be made.
child_result run_child(const std::vector<std::string>& command,
                       const std::optional<cpu_set_t>& processors = std::nullopt);

/// The file a program name means in PATH; "" when there is none.
std::string find_in_path(const std::string& program);

}  // namespace atl::app
