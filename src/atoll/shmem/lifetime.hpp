#pragma once
// From `shmem_init` to `shmem_finalize`, and the variables of the environment that are read
// before.

#include "atoll/task.hpp"

#include <cstddef>

namespace atl::shmem {

// The variables of the environment that OpenSHMEM 1.5 names (chapter 8).

struct environment_variables {
  bool says_version = false;
  bool says_information = false;
  bool says_more = false;
  std::size_t symmetric_size = 0;  ///< bytes; SIZE_MAX: as much as there is
};

/// Read when it is first asked for. Throws atl::error (input) for a bad value.
const environment_variables& variables();

/// What a user asks for by SHMEM_VERSION and SHMEM_INFO, on standard output.
void say_what_is_asked_for();

// From `shmem_init` to `shmem_finalize`.

/// Makes this process a PE, collectively; the thread level it has then. Bad settings are said and
/// end the process with status 2. Once in a process: a second call changes nothing.
int begin(int wanted_thread_level);

/// Leaves the job, collectively: all that was begun is complete. Without a job nothing.
void end();

/// Ends all PEs with this status, whatever they do.
[[noreturn]] void end_everywhere(int exit_status);

/// The first task on each PE: learns who and where the others are.
task<> join_world();

}  // namespace atl::shmem
