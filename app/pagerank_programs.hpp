#pragma once
// What stands beside `atoll pagerank --compare`.

#include "app/pagerank_flags.hpp"

namespace atl::app {

/// The limit, on as many cores as the PEs keep busy, and, where they take the graph, the peers over
/// MPI, by as many processes as PEs. All on the same undirected graph, which the limit takes.
std::vector<compared_program> pagerank_programs(const pagerank_flags& flags, const report& result);

}  // namespace atl::app
