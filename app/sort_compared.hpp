#pragma once
// What a sort is measured beside in its own job.

#include "app/report.hpp"
#include "atoll/kernels/sort/run.hpp"
#include "atoll/run.hpp"

namespace atl::app {

/// Updates per second of `gups` on this job, about as many as keys. One task calls it.
task<double> rate_of_updates(std::uint64_t keys);

/// Of a collective sort, beside the same by delegates.
void add_delegates(measurements& measured, const kernels::sort::run_outcome& own,
                   const kernels::sort::run_outcome& by_delegates);

/// Of a sort by delegates, beside random updates.
void add_updates(measurements& measured, const kernels::sort::run_outcome& own, double updates);

}  // namespace atl::app
