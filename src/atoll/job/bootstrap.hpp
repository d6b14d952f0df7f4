#pragma once
// Starting and ending the PEs of a job. PE 0 is the calling process (or thread); what it captured
// is there afterwards, and a debugger on the program sees PE 0 without any argument.

#include "atoll/job/wire.hpp"
#include "atoll/settings.hpp"

#include <functional>

namespace atl::job {

/// What every PE runs, from its start to its end: its exit status is the PE's.
using pe_main = std::function<int(endpoint&)>;

/// Who starts a job: the program of PE 0, and the others are there for it; or the program of each
/// PE, all of which go on afterwards.
enum class begun : std::uint8_t { by_pe_0, by_each };

/// Runs `body` on `settings.pes` PEs and returns in the calling process only, once, when all have
/// ended: the largest status any PE returned, the status of an early end (`fail`, an exception of
/// another PE, printed), 128 + signal when a PE was killed (the report names it), or 128 + SIGINT /
/// SIGTERM. Throws on what PE 0 throws (as threads: any PE), and `error` when the PEs cannot be
/// started. Forked PEs end by `_exit`; where PE 0 does not come back after an early end, so does
/// it. Blocks. Meanwhile SIGCHLD, SIGINT and SIGTERM are the job's; all is given back. May be
/// called again afterwards, but not within a job.
///
/// Begun `by_each`, once in a process, it returns on each PE. How many there are is the launcher's
/// (of MPI, or `run_program`); without one there is one.
int run_pes(const settings& settings, const pe_main& body, begun by = begun::by_pe_0);

/// What a rank of MPI must do before its process has threads: it is forked, and begins MPI. Else
/// nothing. `run_pes` does it where it was not called. Throws `error`.
void prepare_for_threads(const settings& settings);

}  // namespace atl::job
