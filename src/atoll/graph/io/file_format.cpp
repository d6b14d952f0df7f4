#include "atoll/graph/io/file_format.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace atl {
namespace {

constexpr std::array<std::string_view, 6> format_names = {"el",  "wel", "tsv",
                                                          "txt", "csv", "bvgraph"};
constexpr std::array<std::string_view, 6> format_endings = {"el",  "wel", "tsv",
                                                            "txt", "csv", "graph"};
constexpr std::array<std::string_view, 3> compression_names = {"none", "gzip", "zstd"};
constexpr std::array<std::string_view, 3> compression_endings = {"", ".gz", ".zst"};

template <class Enumeration>
constexpr auto position(Enumeration value) {
  return static_cast<std::size_t>(value);
}

bool is_beside_properties(std::string_view path) {
  std::error_code none;
  return std::filesystem::exists(std::string(path) + ".properties", none);
}

// Its bits must be found by their places.
void refuse_packed_bvgraph(std::string_view path, file_format format) {
  if (format.edges != edge_format::bvgraph || format.packing == compression::none) return;
  fail(errc::input, "{}: a BVGraph is compressed already, and is read as it is, without {}", path,
       compression_endings[position(format.packing)]);
}

}  // namespace

file_format file_format_of(std::string_view path) {
  const auto ending = ending_of_content(path);
  const auto found = std::ranges::find(format_endings, ending);
  if (found != format_endings.end()) {
    const file_format format{static_cast<edge_format>(found - format_endings.begin()),
                             compression_of(path)};
    refuse_packed_bvgraph(path, format);
    return format;
  }
  if (is_beside_properties(path)) return {edge_format::bvgraph, compression::none};
  fail(
      errc::input,
      "{}: the name does not say what the file holds: .el, .wel, .tsv, .txt or .csv, alone or with "
      ".gz or .zst after it, or .graph",
      path);
}

std::string_view ending_of_content(std::string_view path) {
  const auto packing = compression_endings[position(compression_of(path))];
  const auto inner = path.substr(0, path.size() - packing.size());
  const auto file = inner.substr(inner.rfind('/') + 1);
  const auto dot = file.rfind('.');
  return dot == file.npos ? std::string_view() : file.substr(dot + 1);
}

compression compression_of(std::string_view path) {
  for (const auto packing : {compression::gzip, compression::zstd}) {
    if (path.ends_with(compression_endings[position(packing)])) return packing;
  }
  return compression::none;
}

std::string_view name_of(edge_format format) { return format_names[position(format)]; }

std::string_view name_of(compression packing) { return compression_names[position(packing)]; }

}  // namespace atl
