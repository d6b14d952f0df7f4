#pragma once
// Starting and ending the PEs of a job. PE 0 is the calling process (or thread); what it captured is
// there afterwards, and a debugger on the program sees PE 0 without any argument.

#include "atoll/base/settings.hpp"
#include "atoll/transport/transport.hpp"

#include <functional>

namespace atoll::transport {

/// What every PE runs, from its start to its end: its exit status is the PE's.
using pe_main = std::function<int(endpoint&)>;

/// Runs `body` on `settings.pes` PEs and returns in the calling process only, once, when all have
/// ended: the largest status any PE returned, 128 + signal when a PE was killed (the report names it),
/// or 128 + SIGINT / SIGTERM. Forked PEs end by `_exit`. Blocks. May be called again afterwards.
int run_pes(const settings& settings, const pe_main& body);

}  // namespace atoll::transport
