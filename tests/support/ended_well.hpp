#pragma once
// Whether a job of a random program has ended by itself, and else how, so that a signal from
// outside is not taken for a wrong result.

#include <csignal>
#include <cstring>
#include <fmt/core.h>

namespace atl::test {

/// Says on standard error with which status the job has ended, if that is not 0.
inline bool ended_well(int status) {
  if (status == 0) return true;
  const int signal = status - 128;
  const bool is_signal = signal > 0 && signal < NSIG;
  fmt::print(stderr, "the job ended with status {}{}\n", status,
             is_signal ? fmt::format(": signal {} ({})", signal, strsignal(signal)) : "");
  return false;
}

}  // namespace atl::test
