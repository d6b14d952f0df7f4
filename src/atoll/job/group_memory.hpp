#pragma once
// What the memory limit of a control group leaves to a job: the runtime's own memory counts first,
// for beyond the limit the kernel kills.

#include "atoll/job/bootstrap.hpp"
#include "atoll/machine.hpp"

#include <cstdint>

namespace atl::job {

/// What so many PEs of one machine take at most beside what the setting memory-limit counts:
/// network buffers, stacks, pools, the processes themselves. In bytes, an estimate from above.
std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable);

/// What a group leaves of `memory` to each of so many PEs of its machine. Throws `error`
/// (environment), with the limit that would do, where that is too little to begin. Without a group
/// that sets a limit: UINT64_MAX.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory);

/// The settings with this share as their memory limit, as found on the machine, where none is set
/// and there is one.
settings with_share(const settings& asked, int pes, std::uint64_t share);

/// Those of a job that begins on this machine; of ranks `run_pes` finds them out. Throws as above.
settings within_control_group(const settings& asked, begun by);

}  // namespace atl::job
