#include "atoll/memory/together.hpp"

#include "atoll/base/describe.hpp"
#include "atoll/base/log.hpp"

namespace atl::memory {

void end_job(const std::exception_ptr& failure) {
  log::write(log_level::error, describe(failure));
  this_pe().transport->fail(exit_status_of(failure));
}

}  // namespace atl::memory
