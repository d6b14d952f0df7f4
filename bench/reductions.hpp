#pragma once
// A histogram by addition into a region that is spread over all PEs: many contributions to random
// buckets by a task on each PE. (The reductions of Treichler, Bauer and Aiken, Realm, PACT 2014.)

#include "atoll/task.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace atl::bench::reductions {

/// What buckets are picked.
enum class distribution : std::uint8_t { uniform, zipf };

/// How the contributions of a task come into the region.
enum class method : std::uint8_t {
  single,     ///< under a reservation, taken once: each bucket is read, and written, remotely
  messages,   ///< an active message each, which nobody waits for one by one
  localized,  ///< under a reservation: the region is copied here, reduced into, copied back
  node_fold,  ///< a fold instance for all PEs of a node, who use the processor's atomics
  fold,       ///< a fold instance of the task
  list,       ///< a list instance
  automatic,  ///< what of these is best; it knows how many contributions come
  unaware,    ///< the same, and has to find that out
};

inline constexpr std::array<std::string_view, 8> k_method_names = {
    "single", "messages", "localized", "node_fold", "fold", "list", "automatic", "unaware"};

struct parameters {
  method way = method::automatic;
  distribution picks = distribution::uniform;
  std::uint64_t buckets = 256 << 10;
  std::uint64_t reductions = 4 << 20;  ///< of a task
  std::uint64_t seed = 1;
};

struct outcome {
  double seconds = 0;
  std::uint64_t reductions = 0;     ///< of all tasks
  std::uint64_t wrong_buckets = 0;  ///< compared with a serial histogram

  double rate() const { return static_cast<double>(reductions) / seconds; }
};

/// The main task runs it.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::reductions
