#pragma once
// What a file of edges holds, as its name says it.

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl {

enum class edge_format : std::uint8_t {
  el,       ///< two integers a line, separated by blanks
  wel,      ///< three: the third is the weight
  tsv,      ///< two columns separated by a tab, integers or names; then numbers
  txt,      ///< two columns or more, the first two integers, however they are separated
  csv,      ///< the same below a line of titles, which may be missing
  bvgraph,  ///< lists of successors as WebGraph compresses them, beside a file of properties
  mtx,      ///< Matrix Market: the entries of a sparse matrix
  metis,    ///< a line of neighbours for each vertex
  gr,       ///< the arcs of the 9th DIMACS challenge
  konect,   ///< the Koblenz collection: two integers a line, weight and time
  sg,       ///< rows of neighbours in binary, as the GAP benchmarks write them
  wsg       ///< the same with weights
};

enum class compression : std::uint8_t { none, gzip, zstd };

struct file_format {
  edge_format edges = edge_format::el;
  compression packing = compression::none;
};

/// `graph.tsv.gz` is a tsv with gzip; `graph.graph` is a BVGraph, and so is `graph` where there is
/// a `graph.properties`; `out.graph` is of KONECT. Throws `error` (input) for a name that does not
/// say. What is read may be of another format: see `recognised_format`.
file_format file_format_of(std::string_view path);

/// The same, or nothing for a name that does not say.
std::optional<file_format> format_in_name(std::string_view path);

/// Of a name such as "mtx"; nothing for another text.
std::optional<edge_format> edge_format_named(std::string_view name);

/// Throws `error` (input) where the format is binary, and is to be packed.
void refuse_packed_binary(std::string_view path, file_format format);

/// The ending without its dot, before that of a compression; empty if there is none.
std::string_view ending_of_content(std::string_view path);

/// By the ending: `.gz`, `.zst`, or none.
compression compression_of(std::string_view path);

/// "el", "wel", "tsv", "txt", "csv", "bvgraph", "mtx", "metis", "gr", "konect", "sg", "wsg": all
/// but "bvgraph" and "konect" are endings of files.
std::string_view name_of(edge_format format);

/// Whether edges may have weights there.
constexpr bool has_weights(edge_format format) {
  using enum edge_format;
  return format == wel || format == mtx || format == metis || format == gr || format == konect ||
         format == wsg;
}

/// Whether lines may have more columns than the two ends of an edge.
constexpr bool has_any_columns(edge_format format) {
  using enum edge_format;
  return format == txt || format == csv || format == tsv;
}

/// Whether each line is an edge, and no first lines say what they are.
constexpr bool is_plain_list(edge_format format) {
  using enum edge_format;
  return has_any_columns(format) || format == el || format == wel;
}

/// Whether it is no text.
constexpr bool is_binary(edge_format format) {
  return format == edge_format::bvgraph || format == edge_format::sg || format == edge_format::wsg;
}

/// "none", "gzip", "zstd".
std::string_view name_of(compression packing);

}  // namespace atl
