#include "app/driver/guarded.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <exception>
#include <string>

namespace atl::app {

namespace {

/// Returns `status`. Throws `error` (environment) if some text could not be written to standard
/// output.
int checked_output(int status) {
  if (job::flush_output()) return status;
  fail(errc::environment, "{}", job::unwritten_output_text());
}

}  // namespace

int guarded(const std::function<int()>& body) {
  try {
    return checked_output(body());
  } catch (const ended& e) {
    return e.status;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    const int status = exit_status_of(failure);
    const char* const kind = status == k_status_exception ? "uncaught exception: " : "";
    log::write(log_level::error, kind + atl::describe(failure));
    return status;
  }
}

int guarded_program(const std::function<int()>& body) {
  refuse_streams_that_were_closed();
  const job::file_size_signal_ignored no_silent_death;
  return guarded(body);
}

void rethrow_for(std::string_view sizes) {
  const std::exception_ptr failure = std::current_exception();
  if (sizes.empty() || carried_code(failure) != errc::out_of_memory) throw;
  fail(errc::out_of_memory, "{}; this was for {}", atl::describe(failure), sizes);
}

}  // namespace atl::app
