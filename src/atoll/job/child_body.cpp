#include "atoll/job/child_body.hpp"

#include "atoll/error.hpp"
#include "atoll/job/exit_hook.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_scope.hpp"
#include "atoll/launch.hpp"

#include <algorithm>

namespace atl::job {
namespace {

/// The one that ends the job says why; what others throw then is a consequence.
int end_by_exception(shm::region& region, int rank, const std::exception_ptr& failure) {
  const int status = exit_status_of(failure);
  if (region.end(status)) say("PE {}: error: {}", rank, describe(failure).c_str());
  return status;
}

int run_body(const job_plan& plan, shm::region& region, int rank) {
  try {
    pe_scope scope(plan, region, rank);
    const pe_output output({.first = rank}, plan.pes, plan.options.tag_output);
    const exit_hook on_exit({last_sites_in(region), [&](int status) { region.end(status); }});
    return plan.body(scope.wire);
  } catch (const job_ended&) {
    return region.end_status();
  } catch (...) {
    return end_by_exception(region, rank, std::current_exception());
  }
}

}  // namespace

int run_child(const job_plan& plan, shm::region& region, int rank) noexcept {
  int status = run_body(plan, region, rank);
  if (!flush_output()) {
    status = std::max(status, k_status_environment);
    if (region.end(status)) say("PE {}: error: {}", rank, unwritten_output_text().c_str());
  }
  region.block(rank).finished = 1;
  return status;
}

}  // namespace atl::job
