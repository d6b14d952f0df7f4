#pragma once
// Measures the rate of small messages between PEs that all send and execute at the same time.
//
// * `one kind`: asynchronous messages of 16 bytes are created, sent and executed.
// * `four kinds`: each of these messages is of a kind drawn at random.
// * `blocking`: many tasks make round trips, each reading a word of the other PE and waiting.
//
// The benchmark of message_stages.hpp times each stage of a message alone.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::messages {

struct parameters {
  std::uint64_t messages = 10'000'000;    ///< per PE, of one kind and again of four
  std::uint64_t round_trips = 2'000'000;  ///< per PE
  std::uint64_t tasks = 1024;             ///< that make round trips, per PE
  std::uint64_t seed = 1;
};

/// The result of a phase that all PEs perform at the same time.
struct phase {
  double seconds = 0;            ///< on the slowest PE
  std::uint64_t operations = 0;  ///< on all PEs together

  double rate() const { return static_cast<double>(operations) / seconds; }
};

phase combined(const phase& a, const phase& b);

struct outcome {
  phase one_kind;
  phase four_kinds;
  phase blocking;
  std::uint64_t errors = 0;  ///< wrong sums, counts and values
};

/// Runs all three benchmarks once. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::messages
