#pragma once
// A launcher's rank as two processes. Ranks are children of a launcher that says little of their
// end, and no rank is the parent of another: so the process that the launcher has started becomes
// the keeper of the PE, which is its child. The keeper does nothing but wait, and says how the PE
// has died.

#include <atomic>
#include <cstdint>

namespace atl::job {

/// What a PE tells its keeper.
struct kept_rank {
  std::atomic<std::uint64_t> last_site{0};  ///< a site_word
  /// It is not within a job, or has said itself why it ends: nothing to report.
  std::atomic<std::uint32_t> may_end{1};
  std::atomic<std::uint32_t> begins_mpi{0};  ///< the library of MPI may end the process
};

/// Forks; returns in the child, which goes on as the program. The parent ends when the child does,
/// with its exit status or 128 + signal, and passes on what signals it gets. The child dies with
/// its keeper. Throws `error` (environment). Once in a process.
kept_rank& keep_rank(int rank);

}  // namespace atl::job
