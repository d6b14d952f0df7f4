#pragma once
// The job of `atoll cc`: reads or makes a graph, builds it once, labels it in many trials.

#include "app/cc_findings.hpp"
#include "app/cc_flags.hpp"
#include "app/vertex_output.hpp"

namespace atl::app {

/// Runs the job; the trials are measured by `trials`, which was made before, and right labels go to
/// `output`. Throws `error` (input,
/// out_of_memory), and `ended` when the job ended early. Blocks.
cc_findings label_graph(const cc_flags& flags, const settings& options, trial_series& trials,
                        vertex_output& output);

}  // namespace atl::app
