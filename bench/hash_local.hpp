#pragma once
// The local table of one PE alone, beside what its memory allows.

#include <cstdint>

namespace atl::bench::hash {

struct local_outcome {
  double rate = 0;           ///< lookups/s, in batches, half of them of keys that are there
  double limit = 0;          ///< prefetched reads/s at random places of as much memory
  double bytes_per_key = 0;  ///< after growth from an empty table
  std::uint64_t wrong_answers = 0;

  double fraction_of_limit() const { return rate / limit; }
};

/// What `measure_local` takes, at most.
std::uint64_t bytes_of_local(std::uint64_t keys);

/// Of so many keys of 8 bytes, in a set. Within a job or without.
local_outcome measure_local(std::uint64_t keys);

}  // namespace atl::bench::hash
