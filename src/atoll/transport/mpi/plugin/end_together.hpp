#pragma once
// The last moment before MPI_Finalize under MPICH.
//
// Until 4.2, MPI_Finalize closes a rank's UCX connections, for which the other ends must answer,
// and then waits for all ranks without answering anybody. So it hangs when one rank goes ahead of
// another. It does not when each rank asks before it answers: that is so when no rank lets MPI
// progress between a moment at which all are through with it, and its MPI_Finalize.
// Ranks cannot agree on such a moment by messages, which need progress, but by the names that their
// launcher keeps.

#include <mpi.h>

namespace atoll_mpi {

/// Collective. On return all ranks are here or farther, and none has let MPI progress since. Where
/// the launcher keeps no names, or after a few seconds, returns without.
void stand_still_together(MPI_Comm all);

}  // namespace atoll_mpi
