#include "app/convert.hpp"

#include "app/progress_line.hpp"
#include "atoll/base/error.hpp"
#include "atoll/graph/edge_statistics.hpp"
#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/bvgraph/graph_writer.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/io/write_edges.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace atl::app {
namespace {

constexpr std::uint64_t k_between_reports = std::uint64_t{1} << 18;

std::string file_with_edges(const std::string& path) {
  const bool is_bvgraph = file_format_of(path).edges == edge_format::bvgraph;
  return is_bvgraph ? graph::bvgraph::files(path).graph : path;
}

void refuse_same_file(const convert_flags& flags) {
  std::error_code missing;
  if (std::filesystem::equivalent(file_with_edges(flags.input), file_with_edges(flags.output),
                                  missing))
    fail(errc::input, "{}: the output is the file that is read", flags.output);
}

class conversion {
 public:
  explicit conversion(const convert_flags& flags) : flags_(flags) {}

  converted_graph to_text() {
    edge_writer writer(flags_.output);
    const edge_list list = read();
    result_.loses_weights = !list.weights.empty() && writer.format().edges != edge_format::wel;
    result_.edges = list.edges.size();
    for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
      writer.write(list.edges[i], list.weights.empty() ? 1 : list.weights[i]);
      show("writing", flags_.output, i, list.edges.size());
    }
    writer.commit();
    result_.bytes = writer.bytes();
    return result_;
  }

  converted_graph to_bvgraph() {
    graph::bvgraph::graph_writer writer(flags_.output, flags_.lists);
    edge_list list = read();
    result_.loses_weights = !list.weights.empty();
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
  edge_list read() {
    const auto show_progress = [this](double done) {
      progress_.show(fmt::format("reading {}: {:.0f} %", flags_.input, 100 * done));
    };
    edge_list list = read_edges(flags_.input, show_progress);
    if (list.uses_names)
      fail(errc::input, "{}: its vertices have names, and {} has no place for them", flags_.input,
           flags_.output);
    result_.vertices = std::max(
        {vertices_of(list.edges), list.declared ? list.declared->vertices : 0, flags_.vertices});
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
  converted_graph result_;
  progress_line progress_;
};

}  // namespace

converted_graph convert_graph(const convert_flags& flags) {
  refuse_same_file(flags);
  conversion work(flags);
  const bool is_bvgraph = file_format_of(flags.output).edges == edge_format::bvgraph;
  return is_bvgraph ? work.to_bvgraph() : work.to_text();
}

}  // namespace atl::app
