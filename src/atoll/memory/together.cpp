#include "atoll/collectives.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"

namespace atl::memory {

void end_job(const std::exception_ptr& failure) {
  log::write(log_level::error, describe(failure));
  this_pe().transport->fail(exit_status_of(failure));
}

task<> ending_the_job(task<> (*begin)(const void* body), const void* body) {
  std::exception_ptr failure;
  try {
    co_await begin(body);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) end_job(failure);
}

}  // namespace atl::memory
