#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Measures a collective: the median over batches of the mean time per round, on the slowest PE.
task<outcome> measure_collective(load chosen);

}  // namespace atl::bench::one_sided
