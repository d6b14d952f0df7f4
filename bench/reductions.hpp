#pragma once
// Measures a histogram: a task on each PE adds many contributions to random buckets of a region
// that is distributed over all PEs. (These are the reductions of Treichler, Bauer and Aiken, Realm,
// PACT 2014.)

#include "atoll/task.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace atl::bench::reductions {

/// The distribution of the picked buckets.
enum class distribution : std::uint8_t { uniform, zipf };

/// The way in which a task's contributions reach the region.
enum class method : std::uint8_t {
  single,     ///< one reservation; each bucket is read and written remotely
  messages,   ///< one asynchronous active message per contribution
  localized,  ///< one reservation; the region is copied here, updated, copied back
  node_fold,  ///< one fold instance per node, updated by the processor's atomics
  fold,       ///< one fold instance per task
  list,       ///< one list instance per task
  automatic,  ///< the runtime chooses; it is told the number of contributions
  unaware,    ///< the runtime chooses without being told that number
};

inline constexpr std::array<std::string_view, 8> k_method_names = {
    "single", "messages", "localized", "node_fold", "fold", "list", "automatic", "unaware"};

struct parameters {
  method way = method::automatic;
  distribution picks = distribution::uniform;
  std::uint64_t buckets = 256 << 10;
  std::uint64_t reductions = 4 << 20;  ///< per task
  std::uint64_t seed = 1;
};

struct outcome {
  double seconds = 0;
  std::uint64_t reductions = 0;     ///< by all tasks together
  std::uint64_t wrong_buckets = 0;  ///< compared with a serial histogram

  double rate() const { return static_cast<double>(reductions) / seconds; }
};

/// Runs the benchmark. The main task calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reductions
