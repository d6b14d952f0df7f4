#pragma once
// What stands beside `atoll mst --compare`.

#include "app/benchmark.hpp"
#include "app/mst_flags.hpp"

namespace atl::app {

/// The limit on one core, and by as many processes as PEs the same algorithm over MPI (`openmpi`,
/// `mpich`: messages; with `_rma`: one-sided) and OpenSHMEM. All on the same graph, which must be a
/// generated one.
std::vector<compared_program> mst_programs(const mst_flags& flags, std::uint64_t pes);

}  // namespace atl::app
