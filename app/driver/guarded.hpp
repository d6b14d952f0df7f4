#pragma once
// From exceptions to the exit status of the program, and jobs that compute something for a command.

#include "atoll/run.hpp"

#include <functional>

namespace atl::app {

/// Thrown to end the program with a status whose reason has been said already, such as that of a
/// job that ended early.
struct ended {
  int status;
};

/// Runs `body`; what it throws is printed on standard error and becomes the exit status: that of an
/// `error`, 2 when memory ran out, 4 for anything else.
int guarded(const std::function<int()>& body);

/// Runs a job whose main task awaits `measure()`, a coroutine, and returns what that returned.
/// Throws `ended` when the job ended early; the reason has been said. Blocks.
template <class Measure>
auto result_of_job(const settings& options, const Measure& measure) {
  typename decltype(measure())::value_type result{};
  const auto main = [&]() -> task<> { result = co_await measure(); };
  if (const int status = run_job(options, main); status != 0) throw ended{status};
  return result;
}

}  // namespace atl::app
