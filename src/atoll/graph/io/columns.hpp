#pragma once
// .txt and .csv: graphs as they are published. The first two columns of a line are the ends of an
// edge, integers; whatever follows, such as weights or times, is left out. Columns are separated by
// blanks or by one comma or semicolon, with or without blanks around it.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::graph {

/// Where in the text the line of titles begins: the first one that is neither blank nor a comment,
/// if it begins as no number does. Reads up to there. Throws `error` (input) as reading edges does.
std::optional<std::uint64_t> begin_of_titles(const input_file& file, compression packing,
                                             const read_options& options);

/// Appends the edges and lines of `text`, the present block, but for the line that begins at
/// `titles`. Lines that begin with #, % or // are comments. Throws `error` (input) for the first
/// line that has no edge.
void read_columns(const line_blocks& blocks, std::string_view text,
                  std::optional<std::uint64_t> titles, edge_list& list);

}  // namespace atl::graph
