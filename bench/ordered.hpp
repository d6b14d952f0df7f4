#pragma once
// Measures the throughput of a global stack or queue. Tasks on each PE push or pop at random; the
// fraction `mix` of operations are pushes. Each task pushes its own sequence of values. The authors
// of distributed flat combining have used the same workload.

#include "atoll/flat_combining.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::ordered {

enum class kind : std::uint8_t { stack, queue };

struct parameters {
  kind structure = kind::stack;
  double mix = 1;  ///< fraction of operations that are pushes
  std::uint64_t operations = 1'000'000;
  std::uint64_t prefill = 0;  ///< number of elements that are pushed before the measurement
  combining_mode mode = combining_mode::local;
};

struct outcome {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t pops = 0;
  std::uint64_t empty_pops = 0;
  double lone_nanoseconds = 0;  ///< time of a push by the last PE while the job is idle
  bool sizes_agree = false;
  std::uint64_t lost = 0;  ///< number of elements that were pushed and never popped
  /// Number of elements that were popped twice, or popped without having been pushed.
  std::uint64_t made_up = 0;
  /// Number of values of one pusher that one task popped in an order that the structure does not
  /// allow.
  std::uint64_t out_of_order = 0;
  combining_statistics combined;  ///< statistics of the measured operations only

  double rate() const { return static_cast<double>(operations) / seconds; }
  bool right() const { return sizes_agree && lost + made_up + out_of_order == 0; }
};

/// Runs the benchmark once and verifies it. The main task of a job calls this function. The setting
/// `workers` is the number of tasks per PE.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::ordered
