#include "atoll/graph/io/recognise.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_source.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_ends.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

namespace atl {
namespace {

constexpr std::size_t k_told_by_bytes = 64 * 1024;

constexpr std::string_view k_otherwise = "; --from says it, too";
constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";

/// As lines begin behind those that are passed over.
std::string_view without_lines(std::string_view text, std::uint64_t lines) {
  if (text.starts_with(k_byte_order_mark)) text.remove_prefix(k_byte_order_mark.size());
  for (; lines > 0 && !text.empty(); --lines)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

/// The first bytes of the text, fewer where its compression is damaged: who reads on tells that.
std::string beginning_of(const graph::input_file& file, compression packing,
                         const read_options& how) {
  std::string begin(k_told_by_bytes, '\0');
  try {
    begin.resize(graph::open_source(file, packing)->read(begin));
  } catch (const graph::unreadable& damage) {
    begin.resize(damage.delivered());
  }
  begin += '\n';
  graph::end_lines_alike(std::span(begin).first(begin.size() - 1));
  begin.pop_back();
  return std::string(without_lines(begin, how.skip_lines.value_or(0)));
}

/// What the content tells.
struct told_format {
  std::optional<edge_format> format;
  graph::likeness likeness = graph::likeness::none;
};

/// Where the content is alike in several formats, the one of the name counts, then the first.
told_format told_by(const graph::file_beginning& beginning,
                    const std::optional<file_format>& named) {
  told_format told;
  const auto ask = [&](edge_format format) {
    const auto likeness = graph::row_of(format).recognise(beginning);
    if (likeness > told.likeness) told = {format, likeness};
  };
  if (named) ask(named->edges);
  for (const auto format : all_edge_formats()) ask(format);
  return told;
}

/// By the name or, where that does not say, by the first bytes.
compression packing_of(const graph::input_file& file) {
  std::array<char, 4> first{};
  const std::string_view begin(first.data(), file.read_at(0, first));
  if (compression_of(file.path()) != compression::none) return compression_of(file.path());
  if (begin.starts_with("\x1f\x8b")) return compression::gzip;
  return begin == "\x28\xb5\x2f\xfd" ? compression::zstd : compression::none;
}

bool is_there(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// Whether another file says that it is of the format of its name.
bool stands_beside(const std::string& path, edge_format named) {
  return !traits_of(named).beside[0].empty() && is_there(files_of(path, named)[1]);
}

}  // namespace

file_format recognised_format(const std::string& path, const read_options& how) {
  if (how.format) return *how.format;
  const auto named = format_in_name(path);
  const std::string& content = how.content.empty() ? path : how.content;
  const bool is_missing = named && !is_there(content);  // its reader says so
  if (is_missing || (named && stands_beside(path, named->edges)))
    return file_format_of(path, k_otherwise);
  const graph::input_file file(path, how.content);
  const auto packing = named ? compression_of(path) : packing_of(file);
  const auto [found, likeness] = told_by({file, packing, beginning_of(file, packing, how)}, named);
  if (!found) {
    graph::refuse_unread(file);
    return file_format_of(path, k_otherwise);
  }
  const bool contradicted = named && !traits_of(named->edges).any_content && *found != named->edges;
  if (contradicted && likeness == graph::likeness::certain)
    fail(errc::input, "{}:1:1: the file begins as one of the format {}, and its name says {}", path,
         name_of(*found), name_of(named->edges));
  return {*found, packing};
}

file_format format_as_packed(const std::string& path, edge_format edges, const read_options& how) {
  if (is_binary(edges)) return {edges, compression::none};
  return {edges, packing_of(graph::input_file(path, how.content))};
}

}  // namespace atl
