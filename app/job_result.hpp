#pragma once
// A job whose main task computes something for the command that runs it.

#include "app/guarded.hpp"
#include "atoll/run.hpp"

namespace atl::app {

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
