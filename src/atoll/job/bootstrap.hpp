#pragma once
// Starting and ending the PEs of a job. PE 0 is the calling process (or thread), so objects that
// its body has captured are available afterwards. A debugger on the program sees PE 0 without any
// option.

#include "atoll/job/wire.hpp"
#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <cstdint>
#include <functional>

namespace atl::job {

/// The function that every PE runs from start to end; its result is the exit status of the PE.
using pe_main = std::function<int(endpoint&)>;

/// Who starts a job: the program of PE 0, which alone continues afterwards, or the program of each
/// PE, all of which continue.
enum class begun : std::uint8_t { by_pe_0, by_each };

/// Runs `body` on `settings.pes` PEs and returns once, in the calling process only, when all have
/// ended. Blocks.
///
/// The result is the largest status that any PE returned. After an early end (`fail`, or an
/// exception of another PE, which is printed) it is the status of that end. If a PE was killed, it
/// is 128 + signal, and the report names the PE. If the job was interrupted, it is 128 + SIGINT or
/// SIGTERM.
///
/// An exception of PE 0 (as threads: of any PE) is rethrown. Throws `error` if the PEs cannot be
/// started. Forked PEs end by `_exit`, and so does PE 0 if it does not return after an early end.
/// While the function runs, the job handles SIGCHLD, SIGINT and SIGTERM; their actions are restored
/// afterwards. The function may be called again, but not within a job.
///
///
/// A job begun `by_each` runs at most once per process, and the function returns on each PE. The
/// launcher (of MPI, or `run_program`) decides the number of PEs; without one there is one.
int run_pes(const settings& settings, const pe_main& body, begun by = begun::by_pe_0);

/// Prepares a rank of MPI before its process has threads: forks it, and begins MPI. Does nothing
/// for other processes. `run_pes` does this if it was not called before. Throws `error`.
void prepare_for_threads(const settings& settings);

// A control group with a memory limit leaves a job part of its memory. The runtime's own memory
// counts first, because beyond the limit the kernel kills.

/// Returns an upper estimate, in bytes, of the memory of `pes` PEs on one machine that memory-limit
/// does not count. This is memory for network buffers, stacks, pools, and the processes themselves.
std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable);

/// Returns the part of `memory` that a control group leaves to each of `pes` PEs of its machine.
/// UINT64_MAX: no group sets a limit. Throws `error` (environment), with a sufficient limit, if the
/// part is too small to begin.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory);

/// Returns the settings with `share` as the memory limit found on the machine. Returns them
/// unchanged if a limit is set, or `share` is UINT64_MAX.
settings with_share(const settings& asked, int pes, std::uint64_t share);

/// Returns the settings of a job that begins on this machine, with the share of its control group;
/// for ranks `run_pes` determines it. Throws as `share_of_group`.
settings within_control_group(const settings& asked, begun by);

}  // namespace atl::job
