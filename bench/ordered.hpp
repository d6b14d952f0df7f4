#pragma once
// The throughput of a global stack or queue: so many tasks on each PE, each of which pushes a
// sequence of its own or pops, at random by the mix. (The workload of the authors of distributed
// flat combining.)

#include "atoll/flat_combining.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::ordered {

enum class kind : std::uint8_t { stack, queue };

struct parameters {
  kind structure = kind::stack;
  double mix = 1;  ///< the part of the operations that push
  std::uint64_t operations = 1'000'000;
  std::uint64_t prefill = 0;  ///< elements, before the clock starts
  combining_mode mode = combining_mode::local;
};

struct outcome {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t pops = 0;
  std::uint64_t empty_pops = 0;
  double lone_nanoseconds = 0;  ///< of a push that has the job for itself, on the last PE
  bool sizes_agree = false;
  std::uint64_t lost = 0;     ///< elements pushed and never popped
  std::uint64_t made_up = 0;  ///< popped more than once, or never pushed
  /// Values of one pusher that one task popped in another order than the structure's.
  std::uint64_t out_of_order = 0;
  combining_statistics combined;  ///< of the operations that were timed

  double rate() const { return static_cast<double>(operations) / seconds; }
  bool right() const { return sizes_agree && lost + made_up + out_of_order == 0; }
};

/// The whole benchmark once, verified, called by the main task of a job whose setting `workers` is
/// the number of tasks on each PE.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::ordered
