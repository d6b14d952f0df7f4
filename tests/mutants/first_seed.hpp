#pragma once
// Finds a simulated schedule that reveals a planted fault of the library.

#include "atoll/base/mutants.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::test {

/// The messages of a failing program are not printed.
template <class IsRight>
bool is_silently_right(const IsRight& is_right, std::uint64_t seed) {
  const captured_stderr captured;
  try {
    return is_right(seed);
  } catch (const error&) {
    return false;
  }
}

/// With the fault planted, returns the first seed for which `is_right(seed)` returns false or does
/// not return. Returns 0 if no seed reveals the fault. Each seed runs in a process of its own,
/// because the fault may destroy the process.
template <class IsRight>
std::uint64_t first_seed_that_fails(mutants::fault built_in, std::uint64_t most,
                                    const IsRight& is_right) {
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const pid_t child = fork();
    if (child == 0) {
      mutants::present = built_in;
      // The limit is in seconds of processor time, because the machine may be busy or suspended.
      const rlimit seconds{20, 20};
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
