#pragma once
// What a file of edges holds is told by its name.

#include <cstdint>
#include <string_view>

namespace atl {

enum class edge_format : std::uint8_t {
  el,      ///< two integers a line, separated by blanks
  wel,     ///< three: the third is the weight
  tsv,     ///< two columns separated by a tab, integers or names
  txt,     ///< two columns or more, the first two integers, however they are separated
  csv,     ///< the same below a line of titles, which may be missing
  bvgraph  ///< lists of successors as WebGraph compresses them, beside a file of properties
};

enum class compression : std::uint8_t { none, gzip, zstd };

struct file_format {
  edge_format edges = edge_format::el;
  compression packing = compression::none;
};

/// `graph.tsv.gz` is a tsv with gzip; `graph.graph` is a BVGraph, and so is `graph` where there is
/// a `graph.properties`. Throws `error` (input) for a name that does not say.
file_format file_format_of(std::string_view path);

/// The ending without its dot, before that of a compression; empty if there is none.
std::string_view ending_of_content(std::string_view path);

/// By the ending: `.gz`, `.zst`, or none.
compression compression_of(std::string_view path);

/// "el", "wel", "tsv", "txt", "csv", "bvgraph": all but the last are endings of files.
std::string_view name_of(edge_format format);

/// "none", "gzip", "zstd".
std::string_view name_of(compression packing);

}  // namespace atl
