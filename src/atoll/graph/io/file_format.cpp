#include "atoll/graph/io/file_format.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <algorithm>
#include <filesystem>

namespace atl {
namespace graph {
namespace {

constexpr format_row k_rows[] = {
#define ATOLL_GRAPH_FORMAT(name, recogniser, reader, lines, writer, ...)                           \
  {#name, recogniser, reader, lines, writer, {__VA_ARGS__}},
#include "atoll/graph/io/formats.def"
#undef ATOLL_GRAPH_FORMAT
};

}  // namespace

const format_row& row_of(edge_format format) { return k_rows[static_cast<std::size_t>(format)]; }

likeness told_by_name(const file_beginning&) { return likeness::none; }

}  // namespace graph

namespace {

constexpr std::array<std::string_view, 3> k_compression_names = {"none", "gzip", "zstd"};
constexpr std::array<std::string_view, 3> k_compression_endings = {"", ".gz", ".zst"};
constexpr std::string_view k_may_be_packed = ", alone or with .gz or .zst after it";

constexpr auto position(compression packing) { return static_cast<std::size_t>(packing); }

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_there(std::string path, std::string_view ending) {
  std::error_code none;
  return std::filesystem::exists(path.append(".").append(ending), none);
}

/// Returns true if a name without a known ending belongs to the format, because of its prefix or of
/// its companion files.
bool is_named_so(std::string_view path, const format_traits& traits) {
  if (!traits.beside[0].empty() && is_there(std::string(path), traits.beside[0])) return true;
  const auto file = file_name(path);
  return !traits.prefix.empty() && file.size() > traits.prefix.size() &&
         file.starts_with(traits.prefix);
}

/// Returns a line of help: `patterns`, followed by the description `holds`. All descriptions begin
/// in the same column.
std::string explained(const std::string& patterns, std::string_view holds) {
  return fmt::format("  {:<20} {}\n", patterns, holds);
}

}  // namespace

const format_traits& traits_of(edge_format format) { return graph::row_of(format).traits; }

const std::vector<edge_format>& all_edge_formats() {
  static const std::vector<edge_format> all = [] {
    std::vector<edge_format> formats(std::size(graph::k_rows));
    for (std::size_t i = 0; i < formats.size(); ++i) formats[i] = static_cast<edge_format>(i);
    return formats;
  }();
  return all;
}

std::optional<file_format> format_in_name(std::string_view path) {
  const auto ending = ending_of_content(path);
  for (const auto format : all_edge_formats()) {
    if (!ending.empty() && traits_of(format).ending == ending)
      return file_format{format, compression_of(path)};
  }
  for (const auto format : all_edge_formats()) {
    if (!is_named_so(path, traits_of(format))) continue;
    return file_format{format, is_binary(format) ? compression::none : compression_of(path)};
  }
  return std::nullopt;
}

file_format file_format_of(std::string_view path, std::string_view otherwise) {
  if (const auto format = format_in_name(path)) {
    refuse_packed_binary(path, *format);
    return *format;
  }
  fail(errc::input, "{}: the name does not say what the file holds: {}{}", path,
       patterns_of_formats(), otherwise);
}

// Throws an error for a compressed binary file. A binary file is read by offsets, which do not
// exist in a compressed file.
void refuse_packed_binary(std::string_view path, file_format format) {
  if (!is_binary(format.edges) || format.packing == compression::none) return;
  if (traits_of(format.edges).compressed)
    fail(errc::input, "{}: {} is compressed already, and is read as it is, without {}", path,
         called(format.edges), k_compression_endings[position(format.packing)]);
  fail(errc::input, "{}: {} is read by places, and not through {}", path, called(format.edges),
       name_of(format.packing));
}

std::vector<std::string> files_of(const std::string& path, edge_format format) {
  const auto& traits = traits_of(format);
  if (traits.beside[0].empty()) return {path};
  const auto ending = fmt::format(".{}", traits.ending);
  const auto base = path.ends_with(ending) ? path.substr(0, path.size() - ending.size()) : path;
  std::vector<std::string> files = {base + ending};
  for (const auto beside : traits.beside) {
    if (!beside.empty()) files.push_back(fmt::format("{}.{}", base, beside));
  }
  return files;
}

std::string_view ending_of_content(std::string_view path) {
  const auto packing = k_compression_endings[position(compression_of(path))];
  const auto inner = path.substr(0, path.size() - packing.size());
  const auto file = file_name(inner);
  const auto dot = file.rfind('.');
  return dot == file.npos ? std::string_view() : file.substr(dot + 1);
}

compression compression_of(std::string_view path) {
  for (const auto packing : {compression::gzip, compression::zstd}) {
    if (path.ends_with(k_compression_endings[position(packing)])) return packing;
  }
  return compression::none;
}

std::optional<edge_format> edge_format_named(std::string_view name) {
  for (const auto format : all_edge_formats()) {
    if (name_of(format) == name) return format;
  }
  return std::nullopt;
}

std::string_view name_of(edge_format format) { return graph::row_of(format).name; }

std::string_view name_of(compression packing) { return k_compression_names[position(packing)]; }

std::string called(edge_format format) {
  const auto& traits = traits_of(format);
  if (!traits.called.empty()) return std::string(traits.called);
  return fmt::format("a {} file",
                     traits.ending.empty() ? std::string(name_of(format)) : pattern_of(format));
}

std::string pattern_of(edge_format format) {
  const auto& traits = traits_of(format);
  return traits.ending.empty() ? fmt::format("{}NAME", traits.prefix)
                               : fmt::format(".{}", traits.ending);
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

std::string names_of_formats() {
  std::vector<std::string> names;
  for (const auto format : all_edge_formats()) names.emplace_back(name_of(format));
  return listed(names, "or");
}

std::string patterns_of_formats() {
  const auto texts = patterns_where([](const auto& traits) { return !traits.binary; });
  const auto others = patterns_where([](const auto& traits) { return traits.binary; });
  return fmt::format("{}{}; {}", listed(texts, "or"), k_may_be_packed, listed(others, "or"));
}

std::string formats_explained() {
  std::string text, patterns;
  std::string_view holds;
  for (const auto format : all_edge_formats()) {
    const auto& traits = traits_of(format);
    if (traits.holds != holds && !patterns.empty()) text += explained(patterns, holds);
    if (traits.holds != holds) patterns.clear();
    holds = traits.holds;
    patterns += patterns.empty() ? pattern_of(format) : ' ' + pattern_of(format);
  }
  return text + explained(patterns, holds);
}

}  // namespace atl
