#pragma once
// Runs another program and waits for it.

#include "atoll/base/namespace.hpp"

#include <string>
#include <vector>

namespace atoll::app {

struct child_result {
  int status = 0;      ///< exit status, or 128 + signal; 127 when there is no such program
  std::string output;  ///< what it wrote to standard output
};

/// Runs a program (found through PATH when its name has no slash) with arguments; its standard
/// error is ours. Blocks. The child gets SIGTERM when this process dies. Throws `error`
/// (environment) when no process can be made. Only one thread may run.
child_result run_child(const std::vector<std::string>& command);

/// The file a program name means in PATH; "" when there is none.
std::string find_in_path(const std::string& program);

}  // namespace atoll::app
