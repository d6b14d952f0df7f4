#include "atoll/kernels/mst/named_edges.hpp"

#include "atoll/graph.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/vertex_rows.hpp"

namespace atl::kernels::mst {

std::optional<vertex_format> format_of_named_edges(const std::string& path) {
  const std::string_view ending = ending_of_content(path);
  if (ending != "csv" && ending != "tsv" && ending != "txt") return std::nullopt;
  return vertex_format_of(path);
}

task<> append_rows(std::string& to, const std::vector<weighted_edge>& edges,
                   std::optional<vertex_names> names, vertex_style style) {
  std::vector<std::string> ends(2 * edges.size());
  const auto name = [&](std::uint64_t i) -> task<> {
    const vertex_id vertex = i % 2 == 0 ? edges[i / 2].from : edges[i / 2].to;
    if (names) ends[i] = co_await names->name_of(vertex);
    if (ends[i].empty()) ends[i] = std::to_string(vertex);
  };
  co_await local_parallel_for(0, ends.size(), name);
  const char separator = style == vertex_style::csv ? ',' : '\t';
  for (std::size_t i = 0; i < edges.size(); ++i) {
    graph::append_name(to, style, ends[2 * i]);
    to += separator;
    graph::append_name(to, style, ends[2 * i + 1]);
    to += separator + std::to_string(edges[i].weight) + '\n';
  }
}

}  // namespace atl::kernels::mst
