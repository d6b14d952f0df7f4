#pragma once
// The job of `atoll pagerank`: reads or makes a graph, builds it once, ranks it in many trials.

#include "app/pagerank_findings.hpp"
#include "app/pagerank_flags.hpp"
#include "app/vertex_output.hpp"

namespace atl::app {

/// Runs the job; the trials are measured by `trials`, which was made before, and right ranks go to
/// `output`. Throws `error` (input, out_of_memory), and `ended` when the job ended early. Blocks.
pagerank_findings rank_graph(const pagerank_flags& flags, const settings& options,
                             trial_series& trials, vertex_output& output);

}  // namespace atl::app
