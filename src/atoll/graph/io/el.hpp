#pragma once
// .el and .wel: integers separated by blanks, two a line, or three with the weight.

#include "atoll/base/namespace.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/line_blocks.hpp"

namespace atoll::graph {

/// Appends the edges, weights and lines of all blocks. Throws `error` (input) for the first line
/// that is not of the format.
void read_el(line_blocks& blocks, bool weighted, edge_list& list);

}  // namespace atoll::graph
