#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Measures a collective. The result is the time per round of the slowest PE: the mean within each
/// batch, and then the median of the batches.
task<outcome> measure_collective(load chosen);

}  // namespace atl::bench::one_sided
