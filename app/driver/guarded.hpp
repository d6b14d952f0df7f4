#pragma once
// Turns exceptions into the exit status of the program, and runs jobs that compute a result for a
// command.

#include "atoll/run.hpp"

#include <functional>
#include <string_view>

namespace atl::app {

/// Thrown to end the program with a status after the reason was printed, for example by a job that
/// ended early.
struct ended {
  int status;
};

/// Runs `body` and returns its status. An exception is printed on standard error and returned as a
/// status: that of the `error`, 2 for exhausted memory, 4 for any other.
int guarded(const std::function<int()>& body);

/// Rethrows the exception being handled; call in a handler. An error about exhausted memory then
/// names `sizes`, such as "--side 4000".
[[noreturn]] void rethrow_for(std::string_view sizes);

/// Runs a job whose main task awaits the coroutine `measure()`, and returns its result. `sizes` are
/// the flags that decide the memory of the job. Throws `ended` if the job ended early, after it
/// printed the reason. Blocks.
template <class Measure>
auto result_of_job(const settings& options, std::string_view sizes, const Measure& measure) {
  typename decltype(measure())::value_type result{};
  const auto main = [&]() -> task<> {
    try {
      result = co_await measure();
    } catch (...) {
      rethrow_for(sizes);
    }
  };
  if (const int status = run_job(options, main); status != 0) throw ended{status};
  return result;
}

/// Runs a job whose memory no flag decides, and returns the result of `measure()`.
template <class Measure>
auto result_of_job(const settings& options, const Measure& measure) {
  return result_of_job(options, "", measure);
}

}  // namespace atl::app
