#pragma once
// The names of the wire that starting, watching and ending a job goes by.

#include "atoll/transport/clock.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/transport.hpp"

namespace atl::job {

namespace shm = transport::shm;

using transport::endpoint;
using transport::forever;
using transport::job_ended;
using transport::monotonic_now;
using transport::nanoseconds;
using transport::say;
using transport::say_lines;

}  // namespace atl::job
