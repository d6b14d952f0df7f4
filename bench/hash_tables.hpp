#pragma once
// The throughput of a global hash set or map: so many tasks on each PE, each of which inserts or
// looks up keys at random by the mix. (The workload of the authors of distributed flat combining.)

#include "atoll/flat_combining.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::hash {

enum class kind : std::uint8_t { set, map };

enum class form : std::uint8_t {
  blocking,   ///< each task waits for each of its operations
  async,      ///< inserts that nobody waits for but the scope
  delegates,  ///< as blocking, by hand: a call to the owner of the key, who has a local table
};

struct parameters {
  kind structure = kind::set;
  form way = form::blocking;
  combining_mode mode = combining_mode::local;
  double mix = 1;  ///< the part of the operations that insert
  std::uint64_t operations = 4'000'000;
  std::uint64_t key_range = 1 << 10;
  bool reserves = false;  ///< memory for all keys, before the clock starts
  bool times_each = false;
};

struct outcome {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t keys = 0;
  std::uint64_t bytes = 0;          ///< of the tables of all PEs, at the end
  double p99_9_nanoseconds = 0;     ///< of an operation, with `times_each`
  std::uint64_t wrong_keys = 0;     ///< in the table and never inserted, or the other way round
  std::uint64_t wrong_values = 0;   ///< of a map
  std::uint64_t wrong_answers = 0;  ///< more or less than any order of the operations allows
  combining_statistics combined;

  double rate() const { return static_cast<double>(operations) / seconds; }
  bool right() const { return wrong_keys + wrong_values + wrong_answers == 0; }
};

/// The whole benchmark once, verified by a serial replay, called by the main task of a job whose
/// setting `workers` is the number of tasks on each PE.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::hash
