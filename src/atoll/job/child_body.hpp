#pragma once
// The life of a PE in a process of its own, which somebody else has started and waits for.

#include "atoll/job/job_plan.hpp"
#include "atoll/job/wire.hpp"

namespace atl::job {

/// Runs the body, writes the output out, and notes in the region that this PE has come to its end;
/// its exit status. An exception ends the job.
int run_child(const job_plan& plan, shm::region& region, int rank) noexcept;

}  // namespace atl::job
