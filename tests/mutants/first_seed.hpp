#pragma once
// Faults that are built in, and the simulated schedules that show them.

#include "atoll/base/mutants.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::test {

/// What it says of what is wrong is not shown.
template <class IsRight>
bool is_silently_right(const IsRight& is_right, std::uint64_t seed) {
  const captured_stderr captured;
  try {
    return is_right(seed);
  } catch (const error&) {
    return false;
  }
}

/// The first seed for which `is_right(seed)` is false with that fault, or does not return; 0: none.
/// Each in a process of its own, which the fault may destroy.
template <class IsRight>
std::uint64_t first_seed_that_fails(mutants::fault built_in, std::uint64_t most,
                                    const IsRight& is_right) {
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const pid_t child = fork();
    if (child == 0) {
      mutants::present = built_in;
      const rlimit seconds{20, 20};  // of processor time: a machine may be busy or stand still
      setrlimit(RLIMIT_CPU, &seconds);
      _exit(is_silently_right(is_right, seed) ? 0 : 1);
    }
    int ending = 0;
    waitpid(child, &ending, 0);
    if (ending != 0) return seed;
  }
  return 0;
}

}  // namespace atl::test
