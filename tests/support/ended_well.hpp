#pragma once
// Evaluates how the job of a random program has ended. The end of a job by a signal from outside
// must not be mistaken for a wrong result.

#include <csignal>
#include <cstring>
#include <fmt/core.h>

namespace atl::test {

/// Returns true if the exit status of the job is 0. If the exit status is another one, prints the
/// status on standard error.
inline bool ended_well(int status) {
  if (status == 0) return true;
  const int signal = status - 128;
  const bool is_signal = signal > 0 && signal < NSIG;
  fmt::print(stderr, "the job ended with status {}{}\n", status,
             is_signal ? fmt::format(": signal {} ({})", signal, strsignal(signal)) : "");
  return false;
}

}  // namespace atl::test
