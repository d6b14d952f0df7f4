#include "atoll/task.hpp"

#include "atoll/error.hpp"

namespace atl::tasks {

void rethrow_naming(site spawned_at) {
  try {
    throw;
  } catch (const error& failure) {
    if (failure.code() != errc::out_of_memory) throw;
    fail(errc::out_of_memory, "no memory for the task spawned at {}: {}", to_string(spawned_at),
         failure.what());
  }
}

}  // namespace atl::tasks
