#pragma once

#include "bench/one_sided.hpp"

namespace atl::bench::one_sided {

/// Of send-receive: messages that both sides know of. Two PEs at least.
task<outcome> measure_messages(load chosen);

}  // namespace atl::bench::one_sided
