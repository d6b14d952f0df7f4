#pragma once
// This file has the functions behind `shmem_init` and `shmem_finalize`, which begin and end a job.
// The file also has the environment variables that `shmem_init` reads.

#include "atoll/task.hpp"

#include <cstddef>

namespace atl::shmem {

// The next type has the environment variables that OpenSHMEM 1.5 defines (chapter 8).

struct environment_variables {
  bool says_version = false;
  bool says_information = false;
  bool says_more = false;
  std::size_t symmetric_size = 0;  ///< in bytes; SIZE_MAX means no limit
};

/// Returns the environment variables of OpenSHMEM. Only the first call reads the environment.
/// Throws atl::error (input) if a variable has an invalid value.
const environment_variables& variables();

/// If the variables SHMEM_VERSION or SHMEM_INFO are set, prints the version or the list of
/// variables on standard output.
void say_what_is_asked_for();

// The next functions begin and end a job.

/// Makes this process a PE of a job, and returns its thread level. All processes of the job must
/// call this function. If a setting is invalid, prints a message and ends the process with status
/// 2. A second call in a process only returns the thread level.
int begin(int wanted_thread_level);

/// Waits until all operations are complete, and leaves the job. All PEs must call this function. If
/// this process is in no job, the call has no effect.
void end();

/// Ends all PEs at once with the exit status `exit_status`.
[[noreturn]] void end_everywhere(int exit_status);

/// The first task on each PE. The task maps the memory of other PEs, and fills in the description
/// of the job (world.hpp).
task<> join_world();

}  // namespace atl::shmem
