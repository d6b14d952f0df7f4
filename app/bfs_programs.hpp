#pragma once
// What stands beside `atoll bfs --compare`.

#include "app/bfs_flags.hpp"

namespace atl::app {

/// The limit, on as many cores as the PEs keep busy, and, where they take the graph, the peers over
/// MPI, by as many processes as PEs. All on the same graph, which the limit takes, and from the
/// same random roots.
std::vector<compared_program> bfs_programs(const bfs_flags& flags, const report& result);

}  // namespace atl::app
