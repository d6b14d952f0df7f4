#pragma once
// Functions from `shmem_init` to `shmem_finalize`, and the environment variables that are read
// before.

#include "atoll/task.hpp"

#include <cstddef>

namespace atl::shmem {

// The environment variables that OpenSHMEM 1.5 names (chapter 8).

struct environment_variables {
  bool says_version = false;
  bool says_information = false;
  bool says_more = false;
  std::size_t symmetric_size = 0;  ///< bytes; SIZE_MAX: no limit
};

/// Returns the environment variables, which are read at the first call. Throws atl::error (input)
/// for a bad value.
const environment_variables& variables();

/// Prints on standard output what SHMEM_VERSION and SHMEM_INFO ask for.
void say_what_is_asked_for();

// Functions from `shmem_init` to `shmem_finalize`.

/// Makes this process a PE, collectively, and returns its thread level. Bad settings are printed
/// and end the process with status 2. A second call in a process changes nothing.
int begin(int wanted_thread_level);

/// Leaves the job, collectively, after all operations are complete. Without a job nothing happens.
void end();

/// Ends all PEs with this status at once.
[[noreturn]] void end_everywhere(int exit_status);

/// The first task on each PE, which learns about the other PEs and their memory.
task<> join_world();

}  // namespace atl::shmem
