#pragma once
// A launcher's rank as two processes. Ranks are children of a launcher that says little of their
// end, and no rank is the parent of another: so the process that the launcher has started becomes
// the keeper of the PE, which is its child. The keeper does nothing but wait, says how the PE has
// died, has the launcher end the other ranks then, and ends the PE when these do not come, or when
// the launcher has died.

#include "atoll/job/pe_end.hpp"
#include "atoll/job/wire.hpp"

#include <atomic>
#include <cstdint>

namespace atl::job {

/// What a PE tells its keeper.
struct kept_rank {
  std::atomic<std::uint64_t> last_site{0};  ///< a site_word
  std::atomic<life_stage> stage{life_stage::before_body};
  std::atomic<bool> begins_mpi{false};     ///< the library of MPI may end the process
  std::atomic<bool> has_begun_mpi{false};  ///< so all ranks have been there
  std::atomic<bool> has_spoken{false};     ///< it has said itself why it ends
};

/// Forks; returns in the child, which goes on as the program. The parent ends when the child does,
/// with its exit status or 128 + signal, and passes on what signals it gets. The child dies with
/// its keeper, with the process that has started that, and when MPI has not begun after
/// `start_timeout` (0: never). Throws `error` (environment). Once in a process.
kept_rank& keep_rank(int rank, nanoseconds start_timeout);

// A rank may end before it has begun MPI, or before it has ended it: the others wait for it.
// Open MPI's mpirun ends them when such a rank ends with a status other than 0. MPICH's mpiexec
// does so only when a signal has killed it, not for the status of its keeper, and is asked here;
// else ranks of other hosts would go on for ever. A rank that ends with status 0 before MPI is
// noticed by the keepers of the others (--start-timeout).
//
// A program may end itself, for wrong flags, before it comes to its first job. So `exit` with a
// status other than 0 asks from the moment on at which the program was loaded.

/// Has MPICH's mpiexec end all ranks, with this status. For a process that was started as a rank,
/// and has not begun MPI; or whose child has, and is dead. Does nothing under launchers that do not
/// speak PMI by PMI_FD, and for a rank that is alone.
void end_waiting_ranks(int status) noexcept;

/// The descriptor by which these functions talk to mpiexec; -1: there is none.
int file_to_mpiexec() noexcept;

/// Whether the process of MPICH's that starts ranks, and that this one asks for the others'
/// addresses, has ended. Then MPI_Init may wait for ever for a rank that was never started.
bool launcher_has_hung_up() noexcept;

}  // namespace atl::job
