#pragma once
// Measures the time of one-sided operations (put, get, atomics) and of collectives on symmetric
// memory. For comparison, the benchmark measures memcpy between the same pages, messages, and
// collectives that send messages.

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

/// Returns whether only PE 0 and the last PE take part in the operation.
constexpr bool is_between_two(operation what) {
  return what < operation::barrier || what == operation::busy_get;
}

struct load {
  operation what = operation::put;
  std::uint64_t bytes = 8;
  double seconds = 0.3;    ///< time of the measurement, after a warm-up
  bool contended = false;  ///< whether all PEs perform atomic operations on one word of PE 0
};

struct outcome {
  double nanoseconds = 0;  ///< time per operation: the median over batches
  /// 99th percentile of the time per operation. The percentile is measured only for `busy_get`.
  double nanoseconds_99 = 0;
  /// Time of memcpy of the same number of bytes in the same pages. The value is 0 if the memory is
  /// not mapped in this process.
  double memcpy_nanoseconds = 0;
  std::uint64_t wrong = 0;  ///< number of wrong bytes, words or results
};

/// Runs the benchmark once. The main task of a job calls this function. If the operation needs two
/// PEs and the job has only one PE, throws atl::error (input).
task<outcome> measure(load chosen);

}  // namespace atl::bench::one_sided
