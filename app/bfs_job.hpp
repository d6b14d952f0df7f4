#pragma once
// The job of `atoll bfs`: reads or makes a graph, builds it once, searches it in many trials.

#include "app/bfs_findings.hpp"
#include "app/bfs_flags.hpp"
#include "app/vertex_output.hpp"

namespace atl::app {

/// Runs the job; the trials are measured by `trials`, which was made before, and a right tree of
/// the first root goes to `output`. Throws `error` (input, out_of_memory), and `ended` when the job
/// ended early. Blocks.
bfs_findings search_graph(const bfs_flags& flags, const settings& options, trial_series& trials,
                          vertex_output& output);

}  // namespace atl::app
