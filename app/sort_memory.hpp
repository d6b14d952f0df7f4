#pragma once
// Whether a sort fits, before it begins.

#include "app/sort_flags.hpp"

namespace atl::app {

/// Throws `error` (out_of_memory), with what sorting so many keys of so many bits needs, all PEs
/// together, and what is free. `held`: bytes of that which the job has already.
void check_memory(const sort_flags& flags, const settings& options, std::uint64_t keys,
                  unsigned bits, std::uint64_t pes, std::uint64_t held = 0);

}  // namespace atl::app
