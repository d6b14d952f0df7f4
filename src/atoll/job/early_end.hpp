#pragma once
// The end of a rank before it has begun MPI, or before it has ended it: the others wait for it.
// Open MPI's mpirun ends them when such a rank ends with a status other than 0. MPICH's mpiexec
// does so only when a signal has killed it, not for the status of its keeper, and is asked here;
// else ranks of other hosts would go on for ever. A rank that ends with status 0 before MPI is
// noticed by the keepers of the others (--start-timeout).
//
// A program may end itself, for wrong flags, before it comes to its first job. So `exit` with a
// status other than 0 asks from the moment on at which the program was loaded.

namespace atl::job {

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
