#include "atoll/graph/io/file_format.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace atl {
namespace {

constexpr std::array<std::string_view, 12> format_names = {
    "el", "wel", "tsv", "txt", "csv", "bvgraph", "mtx", "metis", "gr", "konect", "sg", "wsg"};
constexpr std::array<std::string_view, 12> format_endings = {
    "el", "wel", "tsv", "txt", "csv", "graph", "mtx", "metis", "gr", "", "sg", "wsg"};
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

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_named_as_in_konect(std::string_view path) {
  constexpr std::string_view prefix = "out.";
  const auto file = file_name(path);
  return file.size() > prefix.size() && file.starts_with(prefix);
}

}  // namespace

std::optional<file_format> format_in_name(std::string_view path) {
  const auto ending = ending_of_content(path);
  const auto found = std::ranges::find(format_endings, ending);
  if (found != format_endings.end() && !ending.empty())
    return file_format{static_cast<edge_format>(found - format_endings.begin()),
                       compression_of(path)};
  if (is_beside_properties(path)) return file_format{edge_format::bvgraph, compression::none};
  if (is_named_as_in_konect(path)) return file_format{edge_format::konect, compression_of(path)};
  return std::nullopt;
}

file_format file_format_of(std::string_view path) {
  if (const auto format = format_in_name(path)) {
    refuse_packed_binary(path, *format);
    return *format;
  }
  fail(
      errc::input,
      "{}: the name does not say what the file holds: .el, .wel, .tsv, .txt, .csv, .mtx, .metis or "
      ".gr, alone or with .gz or .zst after it, out.NAME, .graph, .sg or .wsg; where it is read, "
      "--from says it",
      path);
}

// Of a binary file, bytes must be found by their places.
void refuse_packed_binary(std::string_view path, file_format format) {
  if (!is_binary(format.edges) || format.packing == compression::none) return;
  if (format.edges == edge_format::bvgraph)
    fail(errc::input, "{}: a BVGraph is compressed already, and is read as it is, without {}", path,
         compression_endings[position(format.packing)]);
  fail(errc::input, "{}: a .{} file is read by places, and not through {}", path,
       name_of(format.edges), name_of(format.packing));
}

std::string_view ending_of_content(std::string_view path) {
  const auto packing = compression_endings[position(compression_of(path))];
  const auto inner = path.substr(0, path.size() - packing.size());
  const auto file = file_name(inner);
  const auto dot = file.rfind('.');
  return dot == file.npos ? std::string_view() : file.substr(dot + 1);
}

compression compression_of(std::string_view path) {
  for (const auto packing : {compression::gzip, compression::zstd}) {
    if (path.ends_with(compression_endings[position(packing)])) return packing;
  }
  return compression::none;
}

std::optional<edge_format> edge_format_named(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == format_names.end()) return std::nullopt;
  return static_cast<edge_format>(found - format_names.begin());
}

std::string_view name_of(edge_format format) { return format_names[position(format)]; }

std::string_view name_of(compression packing) { return compression_names[position(packing)]; }

}  // namespace atl
