#pragma once
// Measures the local table of one PE alone, and the limit that its memory sets.

#include <cstdint>

namespace atl::bench::hash {

struct local_outcome {
  double rate = 0;           ///< lookups/s in batches; half of the keys are in the table
  double limit = 0;          ///< prefetched reads/s at random addresses of as much memory
  double bytes_per_key = 0;  ///< after growth from an empty table
  std::uint64_t wrong_answers = 0;

  double fraction_of_limit() const { return rate / limit; }
};

/// Returns the bytes of memory that `measure_local` takes at most.
std::uint64_t bytes_of_local(std::uint64_t keys);

/// Measures a set of `keys` keys of 8 bytes. May be called within a job or outside of one.
local_outcome measure_local(std::uint64_t keys);

}  // namespace atl::bench::hash
