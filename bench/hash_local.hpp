#pragma once
// Measures the local table of one PE, and the limit that memory sets to its speed.

#include <cstdint>

namespace atl::bench::hash {

struct local_outcome {
  double rate = 0;  ///< lookups per second in batches; half of the keys are in the table
  /// Prefetched reads per second at random addresses, in an array of the size of the table.
  double limit = 0;
  double bytes_per_key = 0;  ///< memory in bytes per key, after the table has grown from empty
  std::uint64_t wrong_answers = 0;

  double fraction_of_limit() const { return rate / limit; }
};

/// Returns the largest number of bytes that `measure_local` uses.
std::uint64_t bytes_of_local(std::uint64_t keys);

/// Measures a set of `keys` keys of 8 bytes. May be called in a job or outside of a job.
local_outcome measure_local(std::uint64_t keys);

}  // namespace atl::bench::hash
