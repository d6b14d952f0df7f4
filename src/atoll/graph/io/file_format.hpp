#pragma once
// What a file of edges holds, as its name says it. The formats are the rows of formats.def.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

enum class edge_format : std::uint8_t {
#define ATOLL_GRAPH_FORMAT(name, ...) name,
#include "atoll/graph/io/formats.def"
#undef ATOLL_GRAPH_FORMAT
};

enum class compression : std::uint8_t { none, gzip, zstd };

struct file_format {
  edge_format edges = edge_format::el;
  compression packing = compression::none;
};

/// Whether edges have weights in a format: none has, all have in some files, or all have.
enum class weight_place : std::uint8_t { none, optional, always };

/// What a format is, for who reads, writes or tells of its files.
struct format_traits {
  std::string_view ending = "";         ///< of names, without its dot
  std::string_view shared_ending = "";  ///< of another format, too: the content decides
  std::string_view prefix = "";         ///< names without an ending begin so
  std::array<std::string_view, 2> beside = {"", ""};  ///< endings of files without which it is none
  std::string_view called = "";                       ///< "a BVGraph"; "": "a NAME file"
  std::string_view holds = "";                        ///< a line of help
  weight_place weights = weight_place::none;
  bool is_list = false;             ///< each line is an edge; no first lines say what they are
  bool any_columns = false;         ///< lines may have more than the ends of an edge and a weight
  bool titles = false;              ///< of a list: its first line may be titles
  bool names = false;               ///< of a list: ends may be names, as only tabs separate columns
  bool any_content = false;         ///< the name goes with any content, which decides
  bool binary = false;              ///< it has no lines, and is not read through a compression
  bool compressed = false;          ///< in its own way
  bool says_direction = false;      ///< a file says whether its edges have one
  bool without_directions = false;  ///< edges have none
  bool sorts_ends = false;          ///< whoever writes needs 24 bytes for each end of an edge
  double least_bytes_of_vertex = 0;  ///< of a file
};

const format_traits& traits_of(edge_format format);

/// All of them, in the order of the table.
const std::vector<edge_format>& all_edge_formats();

/// `graph.tsv.gz` is a tsv with gzip; `graph.graph` is a BVGraph, and so is `graph` where there is
/// a `graph.properties`; `out.graph` is of KONECT. Throws `error` (input) for a name that does not
/// say; the message ends with `otherwise`, another way to say it. A file may hold another format
/// than its name says: `recognised_format` looks at its content.
file_format file_format_of(std::string_view path, std::string_view otherwise = "");

/// The same, or nothing for a name that does not say.
std::optional<file_format> format_in_name(std::string_view path);

/// Of a name such as "mtx"; nothing for another text.
std::optional<edge_format> edge_format_named(std::string_view name);

/// Throws `error` (input) where the format is binary, and is to be packed.
void refuse_packed_binary(std::string_view path, file_format format);

/// The files of a graph: that with the edges, whose name may lack the ending where others stand
/// beside it, and those.
std::vector<std::string> files_of(const std::string& path, edge_format format);

/// The ending without its dot, before that of a compression; empty if there is none.
std::string_view ending_of_content(std::string_view path);

/// By the ending: `.gz`, `.zst`, or none.
compression compression_of(std::string_view path);

/// "el", "mtx", "bvgraph", ...: as the table has it.
std::string_view name_of(edge_format format);

/// "none", "gzip", "zstd".
std::string_view name_of(compression packing);

/// "a .sg file", "a BVGraph".
std::string called(edge_format format);

/// How files are named: ".mtx", "out.NAME".
std::string pattern_of(edge_format format);

/// Whether edges may have weights there.
inline bool has_weights(edge_format format) {
  return traits_of(format).weights != weight_place::none;
}

/// Whether each edge has one there.
inline bool needs_weights(edge_format format) {
  return traits_of(format).weights == weight_place::always;
}

/// Whether lines may have more columns than the two ends of an edge.
inline bool has_any_columns(edge_format format) { return traits_of(format).any_columns; }

/// Whether each line is an edge, and no first lines say what they are.
inline bool is_plain_list(edge_format format) { return traits_of(format).is_list; }

/// Whether it is no text.
inline bool is_binary(edge_format format) { return traits_of(format).binary; }

/// "a, b or c", where `last` is "or".
std::string listed(const std::vector<std::string>& words, std::string_view last);

/// ".mtx", "out.NAME", ... of the formats of which `holds(traits)` is true.
template <class Holds>
std::vector<std::string> patterns_where(Holds holds) {
  std::vector<std::string> patterns;
  for (const auto format : all_edge_formats()) {
    if (holds(traits_of(format))) patterns.push_back(pattern_of(format));
  }
  return patterns;
}

/// "el, tsv, ... or bvgraph".
std::string names_of_formats();

/// How files are named that are read: ".el, ... or out.NAME, alone or with .gz or .zst after it,
/// .sg, .wsg or .graph".
std::string patterns_of_formats();

/// What the endings mean: lines of help, which begin with two blanks.
std::string formats_explained();

}  // namespace atl
