#pragma once
// From `shmem_init` to `shmem_finalize`.

#include "atoll/task.hpp"

namespace atl::shmem {

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
