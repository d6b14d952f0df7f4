#pragma once
// Starting and ending the PEs of a job. PE 0 is the calling process (or thread); what it captured
// is there afterwards, and a debugger on the program sees PE 0 without any argument.

#include "atoll/job/wire.hpp"
#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <cstdint>
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

// The memory limit of a control group leaves a job some memory. The runtime's own memory counts
// first, for beyond the limit the kernel kills.

/// What so many PEs of one machine take at most beside what the setting memory-limit counts:
/// network buffers, stacks, pools, the processes themselves. In bytes, an estimate from above.
std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable);

/// What a group leaves of `memory` to each of so many PEs of its machine. Throws `error`
/// (environment), with the limit that would do, where that is too little to begin. Without a group
/// that sets a limit: UINT64_MAX.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory);

/// The settings with this share as their memory limit, as found on the machine, where none is set
/// and there is one.
settings with_share(const settings& asked, int pes, std::uint64_t share);

/// Those of a job that begins on this machine; of ranks `run_pes` finds them out. Throws as above.
settings within_control_group(const settings& asked, begun by);

}  // namespace atl::job
