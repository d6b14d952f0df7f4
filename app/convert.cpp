#include "app/convert.hpp"

#include "app/graph_text.hpp"
#include "app/progress_line.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/edge_statistics.hpp"
#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/bvgraph/graph_writer.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/io/recognise.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph/io/write_rows.hpp"
#include "atoll/log.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace atl::app {
namespace {

constexpr std::uint64_t k_between_reports = std::uint64_t{1} << 18;

std::string file_with_edges(const std::string& path, edge_format format) {
  return format == edge_format::bvgraph ? graph::bvgraph::files(path).graph : path;
}

file_format format_of_output(const convert_flags& flags) {
  if (flags.format.empty()) return file_format_of(flags.output);
  const auto edges = edge_format_named(flags.format);
  if (!edges) fail(errc::input, "--to: {} is no format", flags.format);
  const file_format format{*edges, compression_of(flags.output)};
  refuse_packed_binary(flags.output, format);
  return format;
}

void refuse_same_file(const convert_flags& flags, file_format output) {
  const auto input = recognised_format(flags.files.edges, options_of(flags.files));
  std::error_code missing;
  if (std::filesystem::equivalent(file_with_edges(flags.files.edges, input.edges),
                                  file_with_edges(flags.output, output.edges), missing))
    fail(errc::input, "{}: the output is the file that is read", flags.output);
}

/// What a format has for each vertex at least, in bytes.
double least_of_vertex(file_format format) {
  constexpr double lists_and_offsets = 0.25, most_packed = 1024;
  switch (format.edges) {
  case edge_format::bvgraph:
    return lists_and_offsets;
  case edge_format::metis:
    return format.packing == compression::none ? 1 : 1 / most_packed;
  case edge_format::sg:
  case edge_format::wsg:
    return sizeof(std::uint64_t);
  default:
    return 0;
  }
}

/// A few bytes of input may be all vertices there can be.
void refuse_without_room(const std::string& output, file_format format, std::uint64_t vertices) {
  std::error_code unknown;
  const auto folder = std::filesystem::absolute(output, unknown).parent_path();
  const auto room = std::filesystem::space(folder, unknown);
  const double least = least_of_vertex(format) * static_cast<double>(vertices);
  if (unknown || least <= static_cast<double>(room.available)) return;
  fail(errc::input, "{}: {} take {} at least, and there is room for {}", output,
       vertices_text(vertices), human_bytes(least),
       human_bytes(static_cast<double>(room.available)));
}

/// Whether each edge has a weight there.
bool needs_weights(edge_format format) {
  using enum edge_format;
  return format == wel || format == gr || format == wsg;
}

unusual_edges unusual_edges_of(const edge_list& list) {
  std::vector<edge> edges = list.edges;
  unusual_edges found;
  found.loops = self_loops_of(edges);
  found.duplicates = sort_and_count_duplicates(edges, false);
  found.weights = static_cast<std::uint64_t>(
      std::ranges::count_if(list.weights, [](std::int64_t weight) { return weight < 1; }));
  return found;
}

class conversion {
 public:
  conversion(const convert_flags& flags, file_format format) : flags_(flags), format_(format) {}

  converted_graph to_edges() {
    check_place();
    const edge_list list = read();
    if (is_plain_list(format_.edges))
      result_.vertices_left_out = result_.vertices - vertices_of(list.edges);
    edge_writer writer(
        flags_.output, format_,
        {result_.vertices, list.edges.size(), is_undirected(list), has_weights(list)});
    for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
      writer.write(list.edges[i], list.weights.empty() ? 1 : list.weights[i]);
      show("writing", flags_.output, i, list.edges.size());
    }
    writer.commit();
    result_.bytes = writer.bytes();
    return result_;
  }

  converted_graph to_rows() {
    check_place();
    const edge_list list = read();
    const bool weighted = has_weights(list);
    if (format_.edges == edge_format::metis) result_.unusual = unusual_edges_of(list);
    result_.loses_directions = format_.edges == edge_format::metis && !is_undirected(list);
    const graph_view view{result_.vertices, list.edges,
                          weighted ? std::span(list.weights) : std::span<const std::int64_t>(),
                          is_undirected(list)};
    progress_.show(fmt::format("sorting {} edges", list.edges.size()));
    result_.bytes = write_rows(flags_.output, format_, view, [this](double done) {
      progress_.show(fmt::format("writing {}: {:.0f} %", flags_.output, 100 * done));
    });
    return result_;
  }

  converted_graph to_bvgraph() {
    graph::bvgraph::graph_writer writer(flags_.output, flags_.lists);
    edge_list list = read();
    progress_.show(fmt::format("sorting {} edges", list.edges.size()));
    std::ranges::sort(list.edges);
    const auto repeated = std::ranges::unique(list.edges);
    result_.duplicates = repeated.size();
    list.edges.erase(repeated.begin(), repeated.end());
    write_lists(list.edges, writer);
    writer.commit();
    result_.edges = writer.arcs();
    result_.bytes = writer.bytes();
    return result_;
  }

 private:
  // Before the input is read, which takes long.
  void check_place() const { const output_file can_be_made(flags_.output); }

  bool is_undirected(const edge_list& list) const { return list.undirected || flags_.undirected; }

  bool has_weights(const edge_list& list) const {
    return !list.weights.empty() && atl::has_weights(format_.edges);
  }

  edge_list read() {
    const auto show_progress = [this](double done) {
      progress_.show(fmt::format("reading {}: {:.0f} %", flags_.files.edges, 100 * done));
    };
    edge_list list = read_edges(flags_.files.edges, show_progress, options_of(flags_.files));
    if (list.uses_names)
      fail(errc::input, "{}: its vertices have names, and {} has no place for them",
           flags_.files.edges, flags_.output);
    result_.vertices = std::max(
        {vertices_of(list.edges), list.declared ? list.declared->vertices : 0, flags_.vertices});
    refuse_without_room(flags_.output, format_, result_.vertices);
    result_.edges = list.edges.size();
    result_.loses_weights = !list.weights.empty() && !has_weights(list);
    result_.weighs_all_alike = list.weights.empty() && needs_weights(format_.edges);
    result_.columns_left_out = columns_left_out(list);
    result_.remarks = std::move(list.remarks);
    if (list.weights_fault) result_.why_no_weights = list.weights_fault->what();
    return list;
  }

  void write_lists(const std::vector<edge>& edges, graph::bvgraph::graph_writer& writer) {
    std::vector<std::uint64_t> successors;
    auto at = edges.begin();
    for (std::uint64_t vertex = 0; vertex < result_.vertices; ++vertex) {
      successors.clear();
      for (; at != edges.end() && at->from == vertex; ++at) successors.push_back(at->to);
      writer.write(successors);
      show("writing", flags_.output, vertex, result_.vertices);
    }
  }

  void show(std::string_view doing, const std::string& what, std::uint64_t done,
            std::uint64_t all) {
    if (done % k_between_reports != 0) return;
    progress_.show(fmt::format("{} {}: {:.0f} %", doing, what,
                               100 * static_cast<double>(done) / static_cast<double>(all)));
  }

  const convert_flags& flags_;
  const file_format format_;
  converted_graph result_;
  progress_line progress_;
};

}  // namespace

converted_graph convert_graph(const convert_flags& flags) {
  const auto format = format_of_output(flags);
  refuse_same_file(flags, format);
  conversion work(flags, format);
  if (format.edges == edge_format::bvgraph) return work.to_bvgraph();
  return is_written_in_rows(format.edges) ? work.to_rows() : work.to_edges();
}

}  // namespace atl::app
