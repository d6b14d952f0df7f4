#pragma once
// .el and .wel: integers separated by blanks, two a line, or three with the weight.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <string_view>

namespace atl::graph {

/// Appends the edges, weights and lines of `text`, the present block. Throws `error` (input) for
/// the first line that is not of the format.
void read_el(const line_blocks& blocks, std::string_view text, bool weighted, edge_list& list);

}  // namespace atl::graph
