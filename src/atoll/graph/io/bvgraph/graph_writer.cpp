#include "atoll/graph/io/bvgraph/graph_writer.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <algorithm>
#include <utility>

namespace atl::graph::bvgraph {
namespace {

byte_target into(output_file& file) {
  return [&file](std::string_view bytes) { file.write(bytes); };
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

parameters checked(parameters of) {
  if (of.window > parameters::largest_window)
    fail(errc::input, "window: {} is out of range (0 to {})", of.window,
         parameters::largest_window);
  of.nodes = of.arcs = 0;
  return of;
}

}  // namespace

graph_writer::graph_writer(const std::string& path, const parameters& of)
    : files_(path),
      of_(checked(of)),
      graph_file_(files_.graph),
      offsets_file_(files_.offsets),
      properties_file_(files_.properties),
      lists_(into(graph_file_)),
      offsets_(into(offsets_file_)),
      forms_(of.min_interval),
      recent_(of.window) {
  offsets_.put(of_.offsets, 0);
}

void graph_writer::write(std::span<const std::uint64_t> successors) {
  const auto node = of_.nodes++;
  of_.arcs += successors.size();
  choose_form(successors);
  const auto before = lists_.written();
  for_each_word(best_, node, of_, [&](code how, std::uint64_t value) { lists_.put(how, value); });
  offsets_.put(of_.offsets, lists_.written() - before);
  auto& own = recent_[node];
  own.successors.assign(successors.begin(), successors.end());
  own.references = best_.reference == 0 ? 0 : recent_[node - best_.reference].references + 1;
}

void graph_writer::choose_form(std::span<const std::uint64_t> successors) {
  const auto node = of_.nodes - 1;
  forms_.make(successors, best_);
  if (successors.empty()) return;
  auto bits = bits_of(best_, node, of_);
  for (std::uint64_t back = 1; back <= std::min(node, of_.window); ++back) {
    const auto& referred = recent_[node - back];
    if (referred.successors.empty() || referred.references >= of_.max_references) continue;
    forms_.make(successors, back, referred.successors, tried_);
    const auto bits_of_tried = bits_of(tried_, node, of_);
    if (bits_of_tried >= bits) continue;
    bits = bits_of_tried;
    std::swap(best_, tried_);
  }
}

void graph_writer::commit() {
  lists_.finish();
  offsets_.finish();
  write_properties();
  const auto files = {&graph_file_, &offsets_file_, &properties_file_};
  for (auto* const file : files) file->complete();  // whatever may fail, before any has its name
  std::vector<std::string> named;
  try {
    for (auto* const file : files) {
      file->commit();
      named.push_back(file->path());
    }
  } catch (...) {
    for (const auto& path : named) discard_output(path);
    throw;
  }
}

void graph_writer::write_properties() {
  const auto add = [&](std::string_view name, const auto& value) {
    properties_file_.write(fmt::format("{}={}\n", name, value));
  };
  properties_file_.write("#BVGraph properties\n");
  add("graphclass", "it.unimi.dsi.webgraph.BVGraph");
  add("version", 0);
  add("nodes", of_.nodes);
  add("arcs", of_.arcs);
  add("windowsize", of_.window);
  add("maxrefcount", of_.max_references);
  add("minintervallength", of_.min_interval);
  add("zetak", of_.zeta);
  add("compressionflags", flags_of(of_));
  add("bitsperlink", ratio(lists_.written(), of_.arcs));
  add("bitspernode", ratio(lists_.written(), of_.nodes));
}

}  // namespace atl::graph::bvgraph

namespace {

atl::graph::bvgraph::parameters parameters_of(const atl::bvgraph_lists& lists) {
  atl::graph::bvgraph::parameters result;
  result.window = lists.window;
  result.max_references = lists.max_references;
  result.min_interval = lists.min_interval;
  result.zeta = lists.zeta;
  result.residuals.parameter = lists.zeta;
  return result;
}

}  // namespace

atl::written_graph atl::graph::write_bvgraph(graph_to_write&& graph) {
  constexpr std::uint64_t between_reports = std::uint64_t{1} << 18;
  bvgraph::graph_writer writer(graph.path, parameters_of(graph.lists));
  auto& edges = graph.edges;
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  const std::uint64_t duplicates = repeated.size();
  edges.erase(repeated.begin(), repeated.end());
  std::vector<std::uint64_t> successors;
  auto at = edges.begin();
  for (std::uint64_t vertex = 0; vertex < graph.vertices; ++vertex) {
    successors.clear();
    for (; at != edges.end() && at->from == vertex; ++at) successors.push_back(at->to);
    writer.write(successors);
    if (vertex % between_reports == 0 && graph.show_progress)
      graph.show_progress(static_cast<double>(vertex) / static_cast<double>(graph.vertices));
  }
  writer.commit();
  return {writer.bytes(), writer.arcs(), duplicates, {}};
}
