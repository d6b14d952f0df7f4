#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Measures half the time of a round trip of a message between PE 0 and the last PE. The job needs
/// two PEs.
task<outcome> measure_messages(load chosen);

}  // namespace atl::bench::one_sided
