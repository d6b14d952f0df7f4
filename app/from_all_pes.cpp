#include "app/from_all_pes.hpp"

namespace atoll::app {

void end_job(const std::exception_ptr& failure) {
  const int status = guarded([&]() -> int { std::rethrow_exception(failure); });
  this_pe().transport->fail(status);
}

}  // namespace atoll::app
