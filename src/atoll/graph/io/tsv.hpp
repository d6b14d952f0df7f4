#pragma once
// .tsv: two columns separated by one tab; more where those are numbers. Blanks around a column do
// not belong to it.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/list_head.hpp"
#include "atoll/graph/io/name_dictionary.hpp"

#include <string_view>

namespace atl::graph {

// `text` is the present block.

/// Appends its edges as numbers, up to the first end that is not an integer. Returns whether there
/// was none: else the ends are names, and what was read so far is of no use. Integers out of range
/// go to `list.deferred`. Throws `error` (input) for the first line without two columns.
bool read_tsv_numbers(const line_blocks& blocks, std::string_view text, const list_head& head,
                      edge_list& list);

/// Appends its edges, whose ends are names. Throws `error` (input) for the first line that is not
/// of the format.
void read_tsv_names(const line_blocks& blocks, std::string_view text, const list_head& head,
                    name_dictionary& names, edge_list& list);

}  // namespace atl::graph
