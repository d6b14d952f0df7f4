// Graphs of the LDBC Graphalytics benchmark. The file NAME.e has one edge per line: two ids and
// possibly a weight. The file NAME.v in the same folder has one id per line, for all vertices.
// The list of vertices also contains the vertices without edges.

#include "atoll/graph/io/listed_vertices.hpp"

#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/output_file.hpp"

#include <bit>
#include <fmt/format.h>

namespace atl::graph {

namespace {

/// Returns the path without the ending of a compression, such as .gz.
std::string unpacked_name(const std::string& path) {
  switch (compression_of(path)) {
  case compression::gzip:
    return path.substr(0, path.size() - std::string_view(".gz").size());
  case compression::zstd:
    return path.substr(0, path.size() - std::string_view(".zst").size());
  case compression::none:
    break;
  }
  return path;
}

/// Returns the path of the file with the edges. Users may leave out the ending of `path`.
std::string file_of_edges(const std::string& path) {
  if (compression_of(path) != compression::none) return path;
  return files_of(path, edge_format::graphalytics)[0];
}

}  // namespace

/// Reads edges as a text of columns whose first line is always an edge.
std::unique_ptr<part_source> open_graphalytics(const file_part& which, file_format format) {
  file_part plain = which;
  plain.path = file_of_edges(which.path);
  if (!plain.options.skip_lines) plain.options.skip_lines = 0;
  return open_columns(plain, format);
}

namespace {

/// Adds the ids in the lines of a block.
void add_ids(const line_blocks& blocks, std::string_view text, std::vector<std::uint64_t>& ids) {
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line != end; line = next_line(line)) {
    const char* const first = skip_blanks(line);
    if (at_end_of_line(first)) continue;
    const auto field = field_at(first);
    std::uint64_t id = 0;
    if (read_vertex(field, id) != vertex_text::number)
      throw blocks.error_at(first, vertex_complaint(field));
    const char* const rest = skip_blanks(first + field.size());
    if (!at_end_of_line(rest))
      throw blocks.error_at(rest, fmt::format("a line holds the id of one vertex, and this one "
                                              "goes on: {}",
                                              shown(field_at(rest))));
    ids.push_back(id);
  }
}

}  // namespace

std::string file_of_vertices(const std::string& path) {
  return files_of(unpacked_name(path), edge_format::graphalytics)[1];
}

std::vector<std::uint64_t> read_listed_vertices(const std::string& path, std::uint64_t part,
                                                std::uint64_t parts) {
  const std::string listing = file_of_vertices(path);
  const input_file file(listing, "");
  line_blocks blocks(file, compression_of(listing), {listing, part, parts, {}});
  std::vector<std::uint64_t> ids;
  for (auto text = blocks.next(); !text.empty(); text = blocks.next()) add_ids(blocks, text, ids);
  return ids;
}

/// Writes the edges to NAME.e, and all vertices to NAME.v.
written_graph write_graphalytics(graph_to_write&& graph) {
  const std::string listing = file_of_vertices(graph.path);
  graph.path = file_of_edges(graph.path);
  output_file file(listing);
  const auto sink = open_sink(file, compression::none);
  std::string lines;
  constexpr std::size_t flushed_bytes = 256 * 1024;
  for (std::uint64_t v = 0; v < graph.vertices; ++v) {
    lines += fmt::format("{}\n", v);
    if (lines.size() < flushed_bytes) continue;
    sink->write(lines);
    lines.clear();
  }
  sink->write(lines);
  sink->finish();
  row_file edges(graph, graph.edges.size());
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to] = graph.edges[i];
    edges.bytes() += fmt::format("{} {}", from, to);
    if (graph.weights_are_real)
      edges.bytes() += fmt::format(" {}", std::bit_cast<double>(graph.weights[i]));
    else if (!graph.weights.empty())
      edges.bytes() += fmt::format(" {}", graph.weights[i]);
    edges.bytes() += '\n';
    edges.next();
  }
  const written_graph written = edges.commit();
  file.commit();
  return written;
}

}  // namespace atl::graph
