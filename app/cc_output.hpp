#pragma once

#include "app/vertex_output.hpp"
#include "atoll/graph/vertex_names.hpp"
#include "atoll/kernels/cc/run.hpp"

namespace atl::app {

/// Writes the labels of the last run. One task calls it, on PE 0. Blocks the task. Compiled beside
/// the runs, not among them: that leaves them as fast as they are alone.
template <class Id>
task<> write_labels(kernels::cc::workspace<Id> on, vertex_names names, vertex_output& output);

}  // namespace atl::app
