#pragma once
// Measures a histogram. A task on each PE adds many contributions to random buckets of a region
// that is distributed over all PEs. The reductions follow Treichler, Bauer and Aiken (Realm, PACT
// 2014).

#include "atoll/task.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace atl::bench::reductions {

/// The distribution by which buckets are picked.
enum class distribution : std::uint8_t { uniform, zipf };

/// The way in which the contributions of a task reach the region.
enum class method : std::uint8_t {
  /// The task acquires a reservation for the whole region, and then reads and writes each bucket
  /// remotely.
  single,
  messages,  ///< one asynchronous message per contribution
  /// The task acquires a reservation for the whole region, copies the region to its PE, updates the
  /// copy, and copies it back.
  localized,
  node_fold,  ///< one fold instance per node, updated with atomic instructions of the processor
  fold,       ///< one fold instance per task
  list,       ///< one list instance per task
  automatic,  ///< the runtime chooses, knowing the number of contributions
  unaware,    ///< the runtime chooses, without knowing the number of contributions
};

inline constexpr std::array<std::string_view, 8> k_method_names = {
    "single", "messages", "localized", "node_fold", "fold", "list", "automatic", "unaware"};

struct parameters {
  method way = method::automatic;
  distribution picks = distribution::uniform;
  std::uint64_t buckets = 256 << 10;
  std::uint64_t reductions = 4 << 20;  ///< number of reductions per task
  std::uint64_t seed = 1;
};

struct outcome {
  double seconds = 0;
  std::uint64_t reductions = 0;     ///< number of reductions of all tasks together
  std::uint64_t wrong_buckets = 0;  ///< number of buckets that differ from a serial histogram

  double rate() const { return static_cast<double>(reductions) / seconds; }
};

/// Runs the benchmark. The main task calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reductions
