#pragma once
// Measures the throughput of a global stack or queue. The tasks on each PE push or pop at random in
// the proportion of `mix`. Each task pushes its own sequence of values. (This is the workload of
// the authors of distributed flat combining.)

#include "atoll/flat_combining.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::ordered {

enum class kind : std::uint8_t { stack, queue };

struct parameters {
  kind structure = kind::stack;
  double mix = 1;  ///< fraction of pushes
  std::uint64_t operations = 1'000'000;
  std::uint64_t prefill = 0;  ///< elements that are pushed before timing
  combining_mode mode = combining_mode::local;
};

struct outcome {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t pops = 0;
  std::uint64_t empty_pops = 0;
  double lone_nanoseconds = 0;  ///< time of a push by the last PE in an idle job
  bool sizes_agree = false;
  std::uint64_t lost = 0;     ///< elements pushed and never popped
  std::uint64_t made_up = 0;  ///< elements popped more than once, or never pushed
  /// Values of one pusher that one task popped in an order that the structure does not allow.
  std::uint64_t out_of_order = 0;
  combining_statistics combined;  ///< for the timed operations only

  double rate() const { return static_cast<double>(operations) / seconds; }
  bool right() const { return sizes_agree && lost + made_up + out_of_order == 0; }
};

/// Runs the whole benchmark once and verifies it. The main task of a job calls this function; the
/// setting `workers` is the number of tasks per PE.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::ordered
