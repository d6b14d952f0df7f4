#pragma once
// Measures chains of acquisitions and releases of reservations that are connected by events only.
// Each acquisition picks one reservation at random from those of all PEs. (Treichler, Bauer and
// Aiken, Realm, PACT 2014.)

#include "atoll/event.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::reservations {

struct parameters {
  std::uint64_t per_pe = 1024;  ///< reservations that each PE makes
  std::uint64_t chains = 256;   ///< on all PEs together
  std::uint64_t length = 1024;  ///< acquisitions per chain, each with its release
};

struct outcome {
  std::uint64_t grants = 0;
  double creation_seconds = 0;     ///< time to build all chains
  double seconds = 0;              ///< from the trigger of the chains to the end of the last
  std::uint64_t wrong_grants = 0;  ///< too few or too many
  std::uint64_t lost_counts = 0;   ///< missing increments of protected counters
  reservation_statistics counted;  ///< summed over all PEs
};

/// Runs the benchmark. The main task calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reservations
