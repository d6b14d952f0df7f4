#pragma once
// Threads of a process that is about to be forked: its child has only the thread that forks, and
// waits for ever where it needs another one.

namespace atl::job {

/// Called before PEs are forked. Ends the threads that OpenMP (libgomp) keeps between parallel
/// regions, for each process makes new ones with its next region. Warns, once in a process, where
/// there are other threads. Not within a parallel region.
void look_at_threads_before_fork();

}  // namespace atl::job
