#pragma once
// Runs a function in a child process. The child can load libraries that its parent has not loaded,
// or load libraries in another order. The libraries then have different addresses in the two
// processes.

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace atl {

/// Returns the result of `find()`, which runs in a child of this process. The result must be
/// trivially copyable.
template <class Find>
auto told_by_child(Find find) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const auto told = find();
    _exit(write(ends[1], &told, sizeof told) == sizeof told ? 0 : 1);
  }
  decltype(find()) told{};
  if (read(ends[0], &told, sizeof told) != sizeof told) std::abort();
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return told;
}

}  // namespace atl
