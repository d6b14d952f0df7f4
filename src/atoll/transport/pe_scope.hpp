#pragma once
// What surrounds the body of a PE on this machine, whether it is a process or a thread.

#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/pinning.hpp"

#include <optional>

namespace atl::transport {

struct pe_scope {
  pe_scope(const job_plan& plan, shm::region& region, int rank)
      : stack(rank), wire(region, rank, patience_of(plan.options, plan.own_cores)) {
    if (plan.own_cores && plan.options.pin) pin.emplace(rank);
  }

  crash_stack stack;
  std::optional<pinned> pin;
  shm::endpoint wire;
};

}  // namespace atl::transport
