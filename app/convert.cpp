#include "app/convert.hpp"

#include "app/driver/graph_input.hpp"
#include "app/driver/progress_line.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/edge_statistics.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/io/recognise.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph/io/write_graph.hpp"
#include "atoll/log.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace atl::app {
namespace {

file_format format_of_output(const convert_flags& flags) {
  if (flags.format.empty()) return file_format_of(flags.output);
  const auto edges = edge_format_named(flags.format);
  if (!edges) fail(errc::input, "--to: {} is no format: give {}", flags.format, names_of_formats());
  const file_format format{*edges, compression_of(flags.output)};
  refuse_packed_binary(flags.output, format);
  return format;
}

void refuse_same_file(const convert_flags& flags, file_format output) {
  const auto input = recognised_format(flags.files.edges, options_of(flags.files));
  std::error_code missing;
  if (std::filesystem::equivalent(files_of(flags.files.edges, input.edges)[0],
                                  files_of(flags.output, output.edges)[0], missing))
    fail(errc::input, "{}: the output is the file that is read", flags.output);
}

/// What the file has for each vertex at least, in bytes.
double least_of_vertex(file_format format) {
  constexpr double most_packed = 1024;
  const double plain = traits_of(format.edges).least_bytes_of_vertex;
  return format.packing == compression::none ? plain : plain / most_packed;
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

class conversion {
 public:
  conversion(const convert_flags& flags, file_format format) : flags_(flags), format_(format) {}

  converted_graph convert() {
    check_place();
    edge_list list = read();
    graph_to_write graph{flags_.output,         format_, result_.vertices,
                         std::move(list.edges), {},      list.undirected || flags_.undirected,
                         flags_.lists,          {}};
    if (has_weights(list)) graph.weights = std::move(list.weights);
    if (!is_written_by_edge(format_.edges))
      progress_.show(fmt::format("sorting {} edges", graph.edges.size()));
    graph.show_progress = [this](double done) { show("writing", flags_.output, done); };
    auto written = write_graph(std::move(graph));
    result_.bytes = written.bytes;
    result_.edges = written.edges;
    result_.duplicates = written.duplicates;
    result_.notes = std::move(written.notes);
    return result_;
  }

 private:
  // Before the input is read, which takes long.
  void check_place() const {
    for (const auto& file : files_of(flags_.output, format_.edges))
      const output_file can_be_made(file);
  }

  bool has_weights(const edge_list& list) const {
    return !list.weights.empty() && atl::has_weights(format_.edges);
  }

  edge_list read() {
    const auto show_progress = [this](double done) { show("reading", flags_.files.edges, done); };
    edge_list list = read_edges(flags_.files.edges, show_progress, options_of(flags_.files));
    if (list.uses_names)
      fail(errc::input, "{}: its vertices have names, and {} has no place for them",
           flags_.files.edges, flags_.output);
    const auto vertices = vertices_of(list.edges);
    result_.vertices =
        std::max({vertices, list.declared ? list.declared->vertices : 0, flags_.vertices});
    refuse_without_room(flags_.output, format_, result_.vertices);
    describe(list);
    if (is_plain_list(format_.edges)) result_.vertices_left_out = result_.vertices - vertices;
    return list;
  }

  /// What gets lost, or is added.
  void describe(edge_list& list) {
    const auto& traits = traits_of(format_.edges);
    result_.loses_weights = !list.weights.empty() && !has_weights(list);
    result_.weighs_all_alike = list.weights.empty() && needs_weights(format_.edges);
    result_.loses_directions = traits.without_directions && !list.undirected && !flags_.undirected;
    result_.columns_left_out = columns_left_out(list);
    result_.remarks = std::move(list.remarks);
    if (list.weights_fault) result_.why_no_weights = list.weights_fault->what();
  }

  void show(std::string_view doing, const std::string& what, double done) {
    progress_.show(fmt::format("{} {}: {:.0f} %", doing, what, 100 * done));
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
  return conversion(flags, format).convert();
}

}  // namespace atl::app
