#pragma once
// Each rank of an MPI launcher consists of two processes: the PE and its keeper. The process that
// the launcher has started is the keeper. The keeper forks the PE and waits for the PE's end. A
// keeper is necessary, because launchers report little about how a rank has died. The keeper
// reports how the PE has died, and then makes the launcher end the other ranks. The keeper also
// ends the PE if other ranks fail to start, or if the launcher has died.

#include "atoll/job/pe_end.hpp"
#include "atoll/job/wire.hpp"

#include <atomic>
#include <cstdint>

namespace atl::job {

/// The state that a PE shares with its keeper.
struct kept_rank {
  /// Place where the last task of the PE was spawned, as a `site_word`.
  std::atomic<std::uint64_t> last_site{0};
  std::atomic<life_stage> stage{life_stage::before_body};
  /// Whether the PE is starting MPI. During the start, the MPI library may end the process.
  std::atomic<bool> begins_mpi{false};
  /// Whether the PE has started MPI. MPI starts only when all ranks have been started.
  std::atomic<bool> has_begun_mpi{false};
  std::atomic<bool> has_spoken{false};  ///< whether the PE itself has printed why it ends
};

/// Forks this process, and returns in the child, which continues as the program. The parent becomes
/// the keeper. The keeper forwards signals to the child, and ends when the child ends. The exit
/// status of the keeper is the child's exit status, or 128 + the number of the signal that killed
/// the child. The child is killed if its keeper or the launcher's process dies. The child is also
/// killed if MPI has not started after `start_timeout` ns. If `start_timeout` is 0, there is no
/// time limit. Throws `error` (environment) if the fork fails. Call this function once per process.
kept_rank& keep_rank(int rank, nanoseconds start_timeout);

// If a rank ends before it has started or ended MPI, the other ranks wait for the ended rank. If
// the status of the ended rank is not 0, Open MPI's mpirun ends the waiting ranks. MPICH's mpiexec
// ends the waiting ranks only if a signal has killed the rank's keeper. With MPICH, the keeper asks
// mpiexec to end all ranks, because ranks of other hosts would otherwise run forever. If a rank
// ends with status 0 before it starts MPI, the keepers of the other ranks end the job after
// --start-timeout.
//
// A program may call `exit` before its first job, for example because of wrong options. As soon as
// the program is loaded, `exit` with a status other than 0 therefore asks mpiexec to end all ranks.

/// Makes MPICH's mpiexec end all ranks with `status`. The caller must be a rank that has not
/// started MPI, or the keeper of a PE that is dead. The function has an effect only if the job has
/// several ranks and the rank has a PMI connection (PMI_FD) to the launcher.
void end_waiting_ranks(int status) noexcept;

/// Returns the descriptor of the connection to mpiexec, or -1 if there is none.
int file_to_mpiexec() noexcept;

/// Returns whether MPICH's proxy process, which starts the ranks of this host, has ended. If the
/// result is true, MPI_Init may wait forever for a rank that was never started.
bool launcher_has_hung_up() noexcept;

}  // namespace atl::job
