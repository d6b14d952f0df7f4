#include "app/guarded.hpp"

#include "atoll/base/describe.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/base/log.hpp"

#include <exception>

namespace atl::app {

int guarded(const std::function<int()>& body) {
  try {
    return body();
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

}  // namespace atl::app
