#pragma once
// What stands beside `atoll sort --compare`.

#include "app/sort_flags.hpp"

namespace atl::app {

/// The limit, on as many cores as the PEs keep busy, and the peers over MPI, by as many processes
/// as PEs. All on the same keys, which must be those of a class.
std::vector<compared_program> sort_programs(const sort_flags& flags, const report& result);

}  // namespace atl::app
