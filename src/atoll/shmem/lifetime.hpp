#pragma once
// The functions that begin and end a job (`shmem_init` and `shmem_finalize`), and the environment
// variables that they read.

#include "atoll/task.hpp"

#include <cstddef>

namespace atl::shmem {

// The environment variables that OpenSHMEM 1.5 names (chapter 8).

struct environment_variables {
  bool says_version = false;
  bool says_information = false;
  bool says_more = false;
  std::size_t symmetric_size = 0;  ///< in bytes; SIZE_MAX means no limit
};

/// Returns the environment variables, which the first call reads. Throws atl::error (input) if a
/// variable has an invalid value.
const environment_variables& variables();

/// Prints the texts that the variables SHMEM_VERSION and SHMEM_INFO request, on standard output.
void say_what_is_asked_for();

// The functions that begin and end a job.

/// Makes this process a PE of a job, and returns its thread level. The call is collective. If a
/// setting is invalid, prints a message and ends the process with status 2. A second call in a
/// process has no effect.
int begin(int wanted_thread_level);

/// Leaves the job after all operations are complete. The call is collective. Without a job, the
/// call has no effect.
void end();

/// Ends all PEs at once with the exit status `exit_status`.
[[noreturn]] void end_everywhere(int exit_status);

/// The first task on each PE, which collects the addresses and the memory of the other PEs.
task<> join_world();

}  // namespace atl::shmem
