#pragma once

#include "app/vertex_output.hpp"
#include "atoll/graph/vertex_names.hpp"
#include "atoll/kernels/bfs/run.hpp"

namespace atl::app {

/// Writes the tree of the last search: parents, and distances from the root. One task calls it, on
/// PE 0. Blocks the task. Compiled beside the searches, not among them: that leaves them as fast as
/// they are alone.
template <class Id>
task<> write_tree(kernels::bfs::workspace<Id> on, vertex_names names, vertex_output& output);

}  // namespace atl::app
