#pragma once
// A file with a row for each vertex: its name tells how rows stand in it.

#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <string_view>

namespace atl {

enum class vertex_style : std::uint8_t {
  txt,  ///< columns separated by tabs, their titles in a comment
  tsv,  ///< the same, the titles in a line
  csv,  ///< columns separated by commas, the titles in a line
  npy   ///< an array of NumPy, by vertex
};

struct vertex_format {
  vertex_style style = vertex_style::txt;
  compression packing = compression::none;
};

/// `labels.csv.zst` is a csv with zstd. Throws `error` (input) for a name that does not say.
vertex_format vertex_format_of(std::string_view path);

}  // namespace atl
