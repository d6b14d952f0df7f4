#pragma once
// From exceptions to the exit status of the program, and jobs that compute something for a command.

#include "atoll/run.hpp"

#include <functional>
#include <string_view>

namespace atl::app {

/// Thrown to end the program with a status whose reason has been said already, such as that of a
/// job that ended early.
struct ended {
  int status;
};

/// Runs `body`; what it throws is printed on standard error and becomes the exit status: that of an
/// `error`, 2 when memory ran out, 4 for anything else.
int guarded(const std::function<int()>& body);

/// Within a handler of exceptions: rethrows what is handled. An error because memory ran out says
/// for which sizes that was, such as "--side 4000".
[[noreturn]] void rethrow_for(std::string_view sizes);

/// Runs a job whose main task awaits `measure()`, a coroutine, and returns what that returned.
/// `sizes` are the flags that decide how much memory it takes. Throws `ended` when the job ended
/// early; the reason has been said. Blocks.
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

/// The same, where no flag does.
template <class Measure>
auto result_of_job(const settings& options, const Measure& measure) {
  return result_of_job(options, "", measure);
}

}  // namespace atl::app
