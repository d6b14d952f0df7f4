#pragma once
// A launcher's rank as two processes. Ranks are children of a launcher that says little of their
// end, and no rank is the parent of another: so the process that the launcher has started becomes
// the keeper of the PE, which is its child. The keeper does nothing but wait, says how the PE has
// died, has the launcher end the other ranks then, and ends the PE when these do not come, or when
// the launcher has died.

#include "atoll/job/death_report.hpp"
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

}  // namespace atl::job
