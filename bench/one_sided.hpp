#pragma once
// How long one-sided operations and collectives on symmetric memory take: put, get, atomics,
// barrier and the others, beside memcpy between the same pages.

#include "atoll/task/task.hpp"

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
  barrier,
  broadcast,
  allreduce,
  reduce_to_one,
  all_to_all,
  ring,
  busy_get
};

inline constexpr std::array<std::string_view, 12> k_operation_names = {
    "put",       "get",       "put-nbi",       "get-nbi",    "atomic", "barrier",
    "broadcast", "allreduce", "reduce-to-one", "all-to-all", "ring",   "busy-get"};

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

/// The whole benchmark once; called by the main task of a job. Two PEs at least for what is between
/// two.
task<outcome> measure(load chosen);

}  // namespace atl::bench::one_sided
