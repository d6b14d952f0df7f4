#pragma once
// The job of `atoll mst`: reads or makes a graph, and finds its forest in many trials.

#include "app/mst_findings.hpp"
#include "app/mst_flags.hpp"
#include "app/mst_output.hpp"

namespace atl::app {

/// Runs the job; the trials are measured by `trials`, which was made before, and a right forest
/// goes to `output`. Throws `error` (input, out_of_memory), and `ended` when the job ended early.
/// Blocks.
mst_findings find_forest(const mst_flags& flags, const settings& options, trial_series& trials,
                         mst_output& output);

}  // namespace atl::app
