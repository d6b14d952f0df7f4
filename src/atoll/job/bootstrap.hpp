#pragma once
// Starts and ends the PEs of a job. PE 0 is the calling process (or thread). After the job, the
// caller can therefore use objects that the body of PE 0 has changed. If a program is started in a
// debugger, the debugger shows PE 0 without additional options.

#include "atoll/job/wire.hpp"
#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <cstdint>
#include <functional>

namespace atl::job {

/// The body of a job: the function that every PE runs from start to end. The result of the body is
/// the exit status of the PE.
using pe_main = std::function<int(endpoint&)>;

/// States which processes return from `run_pes`. With `by_pe_0`, only the process of PE 0 returns
/// and continues with the program. With `by_each`, each PE is a process that calls `run_pes`
/// itself, and all these processes return.
enum class begun : std::uint8_t { by_pe_0, by_each };

/// Runs `body` on `settings.pes` PEs and blocks until all of them have ended. The function returns
/// in the calling process only.
///
/// The result is the largest status that any PE has returned. If a PE ends the job early by `fail`
/// or an exception, the result is the status with which the PE ended the job. If a signal kills a
/// PE, a report names the PE, and the result is 128 + the signal's number. If SIGINT or SIGTERM
/// interrupts the job, the result is 128 + the signal's number.
///
/// An exception of PE 0 is rethrown. If PEs are threads, an exception of any PE is rethrown. Throws
/// `error` if the PEs cannot be started. Forked PEs end by `_exit`, so they run no functions that
/// were registered by `atexit`. If the job ends early and the body of PE 0 does not return soon,
/// the process of PE 0 also ends by `_exit`. While the function runs, the job handles SIGCHLD,
/// SIGINT, SIGTERM and SIGUSR1. Before the function returns, it restores the former signal actions.
/// A program may call the function repeatedly, but the body of a job must not call it.
///
/// With `by_each`, a process can run only one job, and the function returns on each PE. With
/// `by_each`, the launcher (of MPI, or `run_program`) sets the number of PEs, and a program without
/// a launcher has one PE.
int run_pes(const settings& settings, const pe_main& body, begun by = begun::by_pe_0);

/// Prepares an MPI rank by forking the process and starting MPI. The process must not have other
/// threads yet, because a fork copies only the calling thread. If a program does not call this
/// function, `run_pes` forks the process and starts MPI. If the process is not an MPI rank, the
/// function has no effect. Throws `error` if MPI cannot be started.
void prepare_for_threads(const settings& settings);

// The kernel kills a job that exceeds the memory limit of its control group. The default memory
// limit of a job is the free memory of the control group, minus the memory of the runtime itself
// and a reserve.

/// Returns an upper estimate of the bytes that the runtime itself needs for `pes` PEs of one
/// machine. The estimate covers network buffers, stacks, object pools and processes. The setting
/// `memory-limit` does not limit the memory that the runtime itself needs. `usable` is the memory
/// of the machine or its control group in bytes.
std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable);

/// Returns how many bytes of memory the control group (cgroup) leaves to each of `pes` PEs of this
/// machine. If no control group has a limit, or if the settings contain a memory limit, returns
/// UINT64_MAX. Throws `error` (environment) if too little memory is left to start the job. The text
/// of the error names a sufficient limit for the control group.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory);

/// Returns `asked` with a memory limit of `share` bytes for each of `pes` PEs. If `asked` already
/// has a memory limit, or if `share` is UINT64_MAX, returns `asked` unchanged.
settings with_share(const settings& asked, int pes, std::uint64_t share);

/// Returns `asked` with the memory limit that the control group of this machine permits. For MPI
/// ranks and for PEs under `run_program`, returns `asked` unchanged, because `run_pes` or the
/// launcher determines the limit. Throws `error` (environment) if too little memory is left to
/// start the job.
settings within_control_group(const settings& asked, begun by);

}  // namespace atl::job
