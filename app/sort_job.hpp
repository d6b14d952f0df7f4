#pragma once
// The job of `atoll sort`: makes or reads keys, and sorts them in many trials.

#include "app/sort_findings.hpp"
#include "app/sort_output.hpp"

namespace atl::app {

/// Runs the job; the trials are measured by `trials`, which was made before, and what is right goes
/// to `output`. Throws `error` (input, out_of_memory), and `ended` when the job ended early.
/// Blocks.
sort_findings sort_keys(const sort_flags& flags, const settings& options, trial_series& trials,
                        sort_output& output);

}  // namespace atl::app
