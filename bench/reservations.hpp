#pragma once
// Chains of acquisitions and releases of reservations that only events connect, each of one picked
// at random from those of all PEs. (Treichler, Bauer and Aiken, Realm, PACT 2014.)

#include "atoll/event.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::reservations {

struct parameters {
  std::uint64_t per_pe = 1024;  ///< reservations that each PE makes
  std::uint64_t chains = 256;   ///< of all PEs
  std::uint64_t length = 1024;  ///< acquisitions of a chain, each with its release
};

struct outcome {
  std::uint64_t grants = 0;
  double creation_seconds = 0;     ///< until all chains were there
  double seconds = 0;              ///< from the trigger of all chains to the end of the last
  std::uint64_t wrong_grants = 0;  ///< too few or too many
  std::uint64_t lost_counts = 0;   ///< of counters that reservations protected
  reservation_statistics counted;  ///< of all PEs
};

/// The main task runs it.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reservations
