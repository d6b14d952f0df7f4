#include "atoll/graph/io/recognise.hpp"

#include "atoll/base/error.hpp"
#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/byte_source.hpp"
#include "atoll/graph/io/csr_file.hpp"
#include "atoll/graph/io/dimacs.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/konect.hpp"
#include "atoll/graph/io/line_ends.hpp"
#include "atoll/graph/io/matrix_market.hpp"
#include "atoll/graph/io/metis.hpp"

#include <filesystem>

namespace atl {
namespace {

constexpr std::size_t k_told_by_bytes = 64 * 1024;

/// The first bytes of the text, fewer where its compression is damaged: who reads on tells that.
std::string beginning_of(const graph::input_file& file, compression packing) {
  std::string begin(k_told_by_bytes, '\0');
  try {
    begin.resize(graph::open_source(file, packing)->read(begin));
  } catch (const graph::unreadable& damage) {
    begin.resize(damage.delivered());
  }
  begin += '\n';
  graph::end_lines_alike(std::span(begin).first(begin.size() - 1));
  begin.pop_back();
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  return begin.starts_with(byte_order_mark) ? begin.substr(byte_order_mark.size()) : begin;
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

bool is_there(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

}  // namespace

file_format recognised_format(const std::string& path) {
  const auto named = format_in_name(path);
  const bool names_bvgraph = named && named->edges == edge_format::bvgraph;
  const bool is_missing = named && !is_there(path);  // its reader says so
  if (is_missing || (names_bvgraph && is_there(graph::bvgraph::files(path).properties)))
    return file_format_of(path);
  const graph::input_file file(path);
  const auto packing = compression_of(path);
  const auto begin = beginning_of(file, packing);
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

}  // namespace atl
