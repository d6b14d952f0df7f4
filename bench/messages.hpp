#pragma once
// Measures the rate of small messages, while all PEs send and execute messages at the same time.
//
// * `one kind`: asynchronous messages of 16 bytes are created, sent and executed.
// * `four kinds`: the kind of each message is chosen at random.
// * `blocking`: many tasks make round trips. In a round trip, a task reads a word in the memory of
//   another PE and waits.
//
// The benchmark of message_stages.hpp measures each stage of a message separately.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::messages {

struct parameters {
  /// Number of messages per PE in each of two phases: one phase with one kind, and one phase with
  /// four kinds.
  std::uint64_t messages = 10'000'000;
  std::uint64_t round_trips = 2'000'000;  ///< number of round trips per PE
  std::uint64_t tasks = 1024;             ///< number of tasks per PE that make round trips
  std::uint64_t seed = 1;
};

/// The result of a phase that all PEs perform at the same time.
struct phase {
  double seconds = 0;            ///< time of the slowest PE
  std::uint64_t operations = 0;  ///< number of operations on all PEs together

  double rate() const { return static_cast<double>(operations) / seconds; }
};

phase combined(const phase& a, const phase& b);

struct outcome {
  phase one_kind;
  phase four_kinds;
  phase blocking;
  std::uint64_t errors = 0;  ///< number of wrong sums, counts and values
};

/// Runs all three benchmarks once. The main task of a job calls this function.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::messages
