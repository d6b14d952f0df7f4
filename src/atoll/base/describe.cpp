#include "atoll/base/describe.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"

#include <new>

namespace atl {

std::string describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

int exit_status_of(const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (const error& known) {
    return known.exit_status();
  } catch (const std::bad_alloc&) {
    return k_status_environment;
  } catch (...) {
    return k_status_exception;
  }
}

}  // namespace atl
