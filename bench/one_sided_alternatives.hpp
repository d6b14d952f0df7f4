#pragma once
// Two other ways to perform a reduction, to compare with the collectives on symmetric memory.

#include "bench/one_sided_memories.hpp"

namespace atl::bench::one_sided {

/// Reduces to all PEs by `all_reduce` of values, a collective that sends messages.
task<> reduce_by_messages(load chosen, memories in);

/// Reduces to PE 0 without a collective. Every PE puts its part into memory of PE 0, and PE 0 adds
/// the parts one after another. The OpenSHMEM program of this benchmark also adds the parts on one
/// process, because OpenSHMEM has no reduction to one process. `round` must increase from call to
/// call.
task<> reduce_in_sequence(load chosen, memories in, std::uint64_t round);

}  // namespace atl::bench::one_sided
