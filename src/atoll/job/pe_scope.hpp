#pragma once
// What surrounds the body of a PE on this machine, whether it is a process or a thread.

#include "atoll/job/crash_report.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/pinning.hpp"
#include "atoll/job/timer_slack.hpp"

#include <optional>

namespace atl::job {

/// For the report of an end: what each PE of this region noted as its last site.
inline auto last_sites_in(shm::region& region) {
  return [&region](int pe) -> std::uint64_t { return region.block(pe).life.last_site; };
}

struct pe_scope {
  pe_scope(const job_plan& plan, shm::region& region, int rank)
      : stack(rank), wire(region, rank, patience_of(plan.options, plan.own_cores)) {
    if (!plan.claims.empty()) pin.emplace(plan.claims.core_of(rank));
  }

  crash_stack stack;
  std::optional<pinned> pin;
  short_timer_slack slack;
  transport::shm::endpoint wire;
};

}  // namespace atl::job
