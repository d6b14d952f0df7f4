#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Of what all PEs do together: the mean of a batch, on the slowest PE.
task<outcome> measure_collective(load chosen);

}  // namespace atl::bench::one_sided
