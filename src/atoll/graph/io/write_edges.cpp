#include "atoll/graph/io/write_edges.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/list_text.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

namespace atl::graph {

std::vector<seen_arc> sorted_arcs(const graph_to_write& graph, seen_from ends) {
  std::vector<seen_arc> arcs;
  arcs.reserve(graph.edges.size() * (ends == seen_from::both ? 2 : 1));
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to] = graph.edges[i];
    const auto weight = graph.weights.empty() ? 1 : graph.weights[i];
    if (ends != seen_from::target) arcs.push_back({from, to, weight});
    if (ends != seen_from::source) arcs.push_back({to, from, weight});
  }
  std::ranges::sort(arcs, std::less<>());
  return arcs;
}

row_file::row_file(const graph_to_write& graph, std::uint64_t steps)
    : graph_(graph),
      steps_(steps),
      file_(graph.path),
      sink_(open_sink(file_, graph.format.packing)) {}

written_graph row_file::commit() {
  flush();
  sink_->finish();
  file_.commit();
  return {file_.bytes(), graph_.edges.size(), 0, {}};
}

void row_file::flush() {
  sink_->write(bytes_);
  bytes_.clear();
}

void row_file::report() const {
  if (!graph_.show_progress) return;
  graph_.show_progress(std::min(1.0, static_cast<double>(done_) / static_cast<double>(steps_)));
}

}  // namespace atl::graph

namespace atl {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;
// A line has at most three numbers of at most 24 characters each, or is the head of a file.
constexpr std::size_t longest_line = 128;

template <class Number>
char* append_to(char* end, Number number, char after) {
  end = std::to_chars(end, end + longest_line, number).ptr;
  *end = after;
  return end + 1;
}

/// Returns how the format writes the line of an edge. Throws `error` (input) if the format is not
/// written edge by edge.
graph::edge_lines lines_of(const std::string& path, file_format format,
                           const graph_outline& outline) {
  if (!is_written_by_edge(format.edges))
    fail(errc::input, "{}: {} is not written edge by edge: atoll convert makes it", path,
         called(format.edges));
  return graph::row_of(format.edges).lines(outline);
}

file_format format_without_size(const std::string& path) {
  const auto format = file_format_of(path);
  if (!lines_of(path, format, {}).head.empty())
    fail(errc::input,
         "{}: the file would begin with the number of its edges: atoll convert makes it", path);
  return format;
}

}  // namespace

namespace graph {

edge_lines not_by_edge(const graph_outline&) { return {}; }
edge_lines tab_lines(const graph_outline&) { return {}; }
edge_lines blank_lines(const graph_outline&) { return {.separator = ' '}; }
edge_lines comma_lines(const graph_outline&) { return {.separator = ','}; }

/// Returns a remark if the first edge of a list could be read as a line that declares sizes.
std::vector<std::string> notes_on_first_line(const std::string& path, file_format format) {
  if (!traits_of(format.edges).is_list) return {};
  if (!look_at_head(input_file(path), format, {}).declared) return {};
  return {
      fmt::format("the first edge of {} reads as the sizes of the rest; --skip-lines 0 takes it "
                  "for an edge",
                  path)};
}

written_graph write_lines(graph_to_write&& graph) {
  constexpr std::uint64_t between_reports = std::uint64_t{1} << 18;
  const std::uint64_t edges = graph.edges.size();
  edge_writer writer(
      graph.path, graph.format,
      {graph.vertices, edges, graph.undirected, !graph.weights.empty(), graph.weights_are_real});
  for (std::uint64_t i = 0; i < edges; ++i) {
    writer.write(graph.edges[i], graph.weights.empty() ? 1 : graph.weights[i]);
    if (i % between_reports == 0 && graph.show_progress)
      graph.show_progress(static_cast<double>(i) / static_cast<double>(edges));
  }
  writer.commit();
  return {writer.bytes(), edges, 0, notes_on_first_line(graph.path, graph.format)};
}

}  // namespace graph

bool is_written_by_edge(edge_format format) {
  return graph::row_of(format).lines != &graph::not_by_edge;
}

written_graph write_graph(graph_to_write&& graph) {
  refuse_packed_binary(graph.path, graph.format);
  if (graph.weights_are_real && !traits_of(graph.format.edges).real_weights) {
    const auto able = patterns_where([](const auto& traits) { return traits.real_weights; });
    fail(errc::input, "{}: some weights are not integers, and {} holds only integers; use {}",
         graph.path, called(graph.format.edges), listed(able, "or"));
  }
  return graph::row_of(graph.format.edges).write(std::move(graph));
}

struct edge_writer::open_file {
  open_file(const std::string& path, file_format format, const graph_outline& outline)
      : lines(lines_of(path, format, outline)),
        weighted(needs_weights(format.edges) || (has_weights(format.edges) && outline.weighted)),
        real_weights(outline.real_weights),
        file(path),
        sink(graph::open_sink(file, format.packing)),
        buffer(std::make_unique_for_overwrite<char[]>(buffer_bytes)),
        end(std::ranges::copy(lines.head, buffer.get()).out) {}

  void flush() {
    sink->write({buffer.get(), static_cast<std::size_t>(end - buffer.get())});
    end = buffer.get();
  }

  graph::edge_lines lines;
  bool weighted;
  bool real_weights;
  output_file file;
  std::unique_ptr<graph::byte_sink> sink;
  std::unique_ptr<char[]> buffer;
  char* end;
};

edge_writer::edge_writer(const std::string& path)
    : edge_writer(path, format_without_size(path), graph_outline{}) {}

edge_writer::edge_writer(const std::string& path, file_format format, const graph_outline& outline)
    : format_(format), file_(std::make_unique<open_file>(path, format, outline)) {}

edge_writer::~edge_writer() = default;

void edge_writer::write(const edge& e, std::int64_t weight) {
  open_file& to = *file_;
  const graph::edge_lines& lines = to.lines;
  const bool turned = lines.larger_end_first && e.from < e.to;
  char* end = std::ranges::copy(lines.before, to.end).out;
  end = append_to(end, (turned ? e.to : e.from) + lines.first_id, lines.separator);
  end = append_to(end, (turned ? e.from : e.to) + lines.first_id,
                  to.weighted ? lines.separator : '\n');
  if (to.weighted && to.real_weights) end = append_to(end, std::bit_cast<double>(weight), '\n');
  if (to.weighted && !to.real_weights) end = append_to(end, weight, '\n');
  to.end = end;
  if (end - to.buffer.get() >= static_cast<std::ptrdiff_t>(buffer_bytes - longest_line)) to.flush();
}

void edge_writer::commit() {
  file_->flush();
  file_->sink->finish();
  file_->file.commit();
}

std::uint64_t edge_writer::bytes() const { return file_->file.bytes(); }

}  // namespace atl
