#pragma once
// .tsv: two columns separated by one tab. Blanks around a column do not belong to it.

#include "atoll/base/namespace.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/line_blocks.hpp"

namespace atoll::graph {

/// Appends the edges of all blocks as numbers, up to the first end that is not an integer. Returns
/// whether there was none: else the ends are names, and what was read so far is of no use. Integers
/// out of range go to `list.deferred`. Throws `error` (input) for the first line without two
/// columns.
bool read_tsv_numbers(line_blocks& blocks, edge_list& list);

/// Appends the edges of all blocks, whose ends are names. Throws `error` (input) for the first line
/// that is not of the format.
void read_tsv_names(line_blocks& blocks, edge_list& list);

}  // namespace atoll::graph
