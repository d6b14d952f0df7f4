#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Measures send-receive: half a round trip of messages between PE 0 and the last PE. Needs two
/// PEs.
task<outcome> measure_messages(load chosen);

}  // namespace atl::bench::one_sided
