#pragma once
// Measures the throughput of a global hash set or map. Tasks on each PE insert or look up random
// keys; the fraction `mix` of operations are inserts. The authors of distributed flat combining
// have used the same workload.

#include "atoll/flat_combining.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::hash {

enum class kind : std::uint8_t { set, map };

enum class form : std::uint8_t {
  blocking,  ///< each task waits for the result of each operation
  async,     ///< inserts whose task does not wait; the enclosing scope waits for them
  /// Each task calls a function on the PE that owns the key, and waits. The function uses the local
  /// table of the PE.
  delegates,
};

struct parameters {
  kind structure = kind::set;
  form way = form::blocking;
  combining_mode mode = combining_mode::local;
  double mix = 1;  ///< fraction of operations that are inserts
  std::uint64_t operations = 4'000'000;
  std::uint64_t key_range = 1 << 10;
  bool reserves = false;  ///< reserve memory for all keys before the measurement
  bool times_each = false;
};

struct outcome {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t keys = 0;
  std::uint64_t bytes = 0;  ///< size in bytes of the tables of all PEs at the end
  /// 99.9th percentile of the time per operation. This percentile is measured only if `times_each`
  /// is set.
  double p99_9_nanoseconds = 0;
  /// Number of wrong keys: keys in the table that no worker has inserted, and inserted keys that
  /// the table lacks.
  std::uint64_t wrong_keys = 0;
  std::uint64_t wrong_values = 0;  ///< number of wrong values in a map
  /// Distance of the number of found keys from the range that the replay allows; 0 within this
  /// range.
  std::uint64_t wrong_answers = 0;
  combining_statistics combined;

  double rate() const { return static_cast<double>(operations) / seconds; }
  bool right() const { return wrong_keys + wrong_values + wrong_answers == 0; }
};

/// Runs the whole benchmark once, and verifies it by a serial replay. The main task of a job calls
/// this function. The setting `workers` is the number of tasks per PE.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::hash
