#pragma once
// The rate of small messages between PEs that all send and execute at the same time.
//
//   one kind    16-byte messages, asynchronous: created, sent, executed
//   four kinds  the same, each message of a kind drawn at random
//   blocking    round trips: many tasks read a word of the other PE and wait for it
//
// The stages of a message one by one: message_stages.hpp.

#include "atoll/task.hpp"

#include <cstdint>

namespace atl::bench::messages {

struct parameters {
  std::uint64_t messages = 10'000'000;    ///< each PE sends of one kind, and again of four
  std::uint64_t round_trips = 2'000'000;  ///< of each PE
  std::uint64_t tasks = 1024;             ///< that make round trips, on each PE
  std::uint64_t seed = 1;
};

/// Something all PEs did at once.
struct phase {
  double seconds = 0;            ///< of the slowest PE
  std::uint64_t operations = 0;  ///< of all PEs

  double rate() const { return static_cast<double>(operations) / seconds; }
};

phase combined(const phase& a, const phase& b);

struct outcome {
  phase one_kind;
  phase four_kinds;
  phase blocking;
  std::uint64_t errors = 0;  ///< sums, counts and values that are wrong
};

/// All three once, called by the main task of a job.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::messages
