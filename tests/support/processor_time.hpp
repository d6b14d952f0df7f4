#pragma once

#include <cstdint>
#include <time.h>

namespace atl::test {

/// Returns the processor time that this thread has used, in nanoseconds.
inline std::int64_t processor_time_used() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// Computes until this thread has used `processor_time` more nanoseconds of processor time.
inline void compute_for(std::int64_t processor_time) {
  const auto begin = processor_time_used();
  while (processor_time_used() - begin < processor_time) {
  }
}

}  // namespace atl::test
