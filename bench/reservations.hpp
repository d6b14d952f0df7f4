#pragma once
// Measures chains of acquisitions and releases of reservations. Events alone connect the steps of a
// chain, and no task waits for a step. Each acquisition chooses one reservation at random from
// those of all PEs. (Treichler, Bauer and Aiken, Realm, PACT 2014.)

#include "atoll/event.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::reservations {

struct parameters {
  std::uint64_t per_pe = 1024;  ///< number of reservations that each PE makes
  std::uint64_t chains = 256;   ///< number of chains on all PEs together
  std::uint64_t length = 1024;  ///< number of acquisitions in a chain, each with its release
};

struct outcome {
  std::uint64_t grants = 0;
  double creation_seconds = 0;  ///< time to build all chains
  /// Time between the trigger of the chains and the end of the last chain.
  double seconds = 0;
  /// Difference between the number of granted acquisitions and the number of expected acquisitions.
  std::uint64_t wrong_grants = 0;
  std::uint64_t lost_counts = 0;   ///< number of lost increments of protected counters
  reservation_statistics counted;  ///< statistics of all PEs together
};

/// Runs the benchmark. The main task calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reservations
