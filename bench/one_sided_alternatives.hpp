#pragma once
// What one would do in place of collectives on symmetric memory.

#include "bench/one_sided_memories.hpp"

namespace atl::bench::one_sided {

/// As all_reduce on symmetric memory, by the collective of values that sends messages.
task<> reduce_by_messages(load chosen, memories in);

/// Every PE puts its part into memory of PE 0, which adds them one after the other, as programs
/// must where no collective reduces to one PE. `round` grows from call to call.
task<> reduce_in_sequence(load chosen, memories in, std::uint64_t round);

}  // namespace atl::bench::one_sided
