#include "atoll/graph/io/arc_rows.hpp"

#include <algorithm>

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
