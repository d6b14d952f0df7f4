#pragma once
// How long one-sided operations and collectives on symmetric memory take: put, get, atomics,
// barrier and the others, beside memcpy between the same pages; and what one has in place of them:
// messages, and collectives that send messages.

#include "atoll/task.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace atl::bench::one_sided {

enum class operation : std::uint8_t {
  put,
  get,
  put_nbi,
  get_nbi,
  atomic,
  send_receive,
  barrier,
  broadcast,
  allreduce,
  reduce_to_one,
  all_to_all,
  ring,
  message_barrier,
  message_allreduce,
  sequential_reduce,
  busy_get
};

inline constexpr std::array<std::string_view, 16> k_operation_names = {
    "put",          "get",     "put-nbi",         "get-nbi",           "atomic",
    "send-receive", "barrier", "broadcast",       "allreduce",         "reduce-to-one",
    "all-to-all",   "ring",    "message-barrier", "message-allreduce", "sequential-reduce",
    "busy-get"};

/// PE 0 is the one, the last PE the other.
constexpr bool is_between_two(operation what) {
  return what < operation::barrier || what == operation::busy_get;
}

struct load {
  operation what = operation::put;
  std::uint64_t bytes = 8;
  double seconds = 0.3;    ///< of measuring, after a warm-up
  bool contended = false;  ///< atomics: all PEs on one word of PE 0
};

struct outcome {
  double nanoseconds = 0;         ///< of an operation: the median, of collectives the mean
  double nanoseconds_99 = 0;      ///< 99 % take no longer; of gets from a PE that computes
  double memcpy_nanoseconds = 0;  ///< of as many bytes between the same pages; 0: not reached
  std::uint64_t wrong = 0;        ///< bytes, words, or results that are not what they have to be
};

/// The whole benchmark once; called by the main task of a job. Throws atl::error (input) where
/// there is one PE for what is between two.
task<outcome> measure(load chosen);

}  // namespace atl::bench::one_sided
