#pragma once
// A launcher's rank as two processes: the PE, and its keeper. Launchers say little about how their
// children end, and no rank is the parent of another. The process that the launcher has started
// therefore becomes the keeper of the PE, which is its child. The keeper waits and reports how the
// PE has died; it then makes the launcher end the other ranks. The keeper also ends the PE if other
// ranks fail to start, or if the launcher has died.

#include "atoll/job/pe_end.hpp"
#include "atoll/job/wire.hpp"

#include <atomic>
#include <cstdint>

namespace atl::job {

/// State that a PE shares with its keeper.
struct kept_rank {
  std::atomic<std::uint64_t> last_site{0};  ///< a site_word
  std::atomic<life_stage> stage{life_stage::before_body};
  std::atomic<bool> begins_mpi{false};     ///< the MPI library may end the process
  std::atomic<bool> has_begun_mpi{false};  ///< all ranks have been there, then
  std::atomic<bool> has_spoken{false};     ///< the PE has printed itself why it ends
};

/// Forks; returns in the child, which continues as the program. The parent ends when the child
/// does, with its exit status or 128 + signal, and passes on signals. The child dies with its
/// keeper, and with the process that has started the keeper. It also ends if MPI has not begun
/// after `start_timeout` (0: never). Throws `error` (environment). Call this once per process.
kept_rank& keep_rank(int rank, nanoseconds start_timeout);

// A rank may end before it has begun or ended MPI, and the others then wait for it. If its status
// is not 0, Open MPI's mpirun ends them. MPICH's mpiexec ends them only if a signal has killed the
// rank, and ignores the status of its keeper. It is therefore asked here; otherwise ranks of other
// hosts would run forever. If a rank ends with status 0 before MPI, the keepers of the others
// notice it (--start-timeout).
//
// A program may end itself before its first job, for example because of wrong options. From the
// moment the program is loaded, `exit` with a status other than 0 therefore asks the launcher to
// end all ranks.

/// Makes MPICH's mpiexec end all ranks with this status. Call this in a process that was started as
/// a rank and has not begun MPI, or whose child had begun it and is dead. Does nothing for a single
/// rank, or under launchers that do not speak PMI by PMI_FD.
void end_waiting_ranks(int status) noexcept;

/// Returns the descriptor of the connection to mpiexec; -1: there is none.
int file_to_mpiexec() noexcept;

/// Returns whether MPICH's process that starts ranks, and knows the others' addresses, has ended.
/// MPI_Init may then wait forever for a rank that was never started.
bool launcher_has_hung_up() noexcept;

}  // namespace atl::job
