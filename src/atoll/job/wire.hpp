#pragma once
// Short names of transport types that the files of this folder use.

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
