#pragma once
// Turns exceptions into the exit status of the program, and runs jobs whose result a command needs.

#include "atoll/run.hpp"

#include <functional>
#include <string_view>

namespace atl::app {

/// An exception that ends the program with a status, without a message. The reason for the end was
/// already printed, for example by a job that ended early.
struct ended {
  int status;
};

/// Runs `body` and returns its status. If `body` throws, prints the exception on standard error and
/// returns a status for it. If the exception is an `error`, its code determines the status. The
/// status is 2 if memory is exhausted, and 4 for any other exception.
int guarded(const std::function<int()>& body);

/// Runs `body` as `guarded` does, as the whole of a program. Throws no exception. Refuses standard
/// streams that were closed before the program began. While `body` runs, a file that reaches the
/// limit of its size is an error, and does not end the process by a signal. Only `main` calls this
/// function.
int guarded_program(const std::function<int()>& body);

/// Rethrows the exception that is being handled, so the caller must be a handler. If memory is
/// exhausted, the message names `sizes`, the flags that determine how much memory is needed, such
/// as "--side 4000".
[[noreturn]] void rethrow_for(std::string_view sizes);

/// Runs a job whose main task awaits the coroutine `measure()`, and returns the result of
/// `measure()`. `sizes` are the flags that determine how much memory the job needs. If the job
/// ended early, it has printed the reason, and this function throws `ended`. Blocks.
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

/// Runs a job and returns the result of `measure()`. Use this overload for jobs whose memory does
/// not depend on flags.
template <class Measure>
auto result_of_job(const settings& options, const Measure& measure) {
  return result_of_job(options, "", measure);
}

}  // namespace atl::app
