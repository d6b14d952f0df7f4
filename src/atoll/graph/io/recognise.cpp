#include "atoll/graph/io/recognise.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/byte_source.hpp"
#include "atoll/graph/io/csr_file.hpp"
#include "atoll/graph/io/dimacs.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/konect.hpp"
#include "atoll/graph/io/line_ends.hpp"
#include "atoll/graph/io/matrix_market.hpp"
#include "atoll/graph/io/metis.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

namespace atl {
namespace {

constexpr std::size_t k_told_by_bytes = 64 * 1024;

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

std::optional<edge_format> format_of_text(std::string_view begin) {
  if (graph::begins_matrix(begin)) return edge_format::mtx;
  if (graph::begins_konect(begin)) return edge_format::konect;
  if (graph::begins_dimacs(begin)) return edge_format::gr;
  return std::nullopt;
}

// Without arcs both are as long.
std::optional<edge_format> format_by_length(const graph::input_file& file, bool rather_weighted) {
  for (const bool weighted : {rather_weighted, !rather_weighted}) {
    if (graph::is_csr_file(file, weighted)) return weighted ? edge_format::wsg : edge_format::sg;
  }
  return std::nullopt;
}

/// The name goes with any content.
bool leaves_open(const std::optional<file_format>& named) {
  return !named || named->edges == edge_format::txt;
}

/// The ending .graph is that of both.
bool may_be_metis(const graph::input_file& file, std::string_view begin) {
  return ending_of_content(file.path()) == "graph" && graph::may_be_metis(begin);
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

}  // namespace

file_format recognised_format(const std::string& path, const read_options& how) {
  if (how.format) return *how.format;
  const auto named = format_in_name(path);
  const bool names_bvgraph = named && named->edges == edge_format::bvgraph;
  const std::string& content = how.content.empty() ? path : how.content;
  const bool is_missing = named && !is_there(content);  // its reader says so
  if (is_missing || (names_bvgraph && is_there(graph::bvgraph::files(path).properties)))
    return file_format_of(path);
  const graph::input_file file(path, how.content);
  const auto packing = named ? compression_of(path) : packing_of(file);
  const auto begin = beginning_of(file, packing, how);
  auto found = format_of_text(begin);
  if (!found && packing == compression::none)
    found = format_by_length(file, named && named->edges == edge_format::wsg);
  if (!found && names_bvgraph && may_be_metis(file, begin)) return {edge_format::metis, packing};
  if (found && leaves_open(named)) return {*found, packing};
  if (found && *found != named->edges)
    fail(errc::input, "{}:1:1: the file begins as one of the format {}, and its name says {}", path,
         name_of(*found), name_of(named->edges));
  return file_format_of(path);
}

file_format format_as_packed(const std::string& path, edge_format edges, const read_options& how) {
  if (edges == edge_format::bvgraph) return {edges, compression::none};
  return {edges,
          is_binary(edges) ? compression::none : packing_of(graph::input_file(path, how.content))};
}

}  // namespace atl
