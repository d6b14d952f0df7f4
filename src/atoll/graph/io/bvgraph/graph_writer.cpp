#include "atoll/graph/io/bvgraph/graph_writer.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <algorithm>
#include <functional>
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
  for (auto* const file : files)
    // All steps that may fail come first, before any file gets its name.
    file->complete();
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

void check_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value < least || value > most)
    atl::fail(atl::errc::input, "{}: {} is out of range ({} to {})", name, value, least, most);
}

/// Returns the parameters of a BVGraph with these lists. Throws `error` (input) if no reader would
/// accept one of the numbers.
atl::graph::bvgraph::parameters parameters_of(const atl::bvgraph_lists& lists) {
  check_range("max_references", lists.max_references, 0, atl::bvgraph_lists::largest_number);
  check_range("min_interval", lists.min_interval, 0, atl::bvgraph_lists::largest_number);
  check_range("zeta", lists.zeta, 1, atl::bvgraph_lists::largest_zeta);
  atl::graph::bvgraph::parameters result;
  result.window = lists.window;
  result.max_references = lists.max_references;
  result.min_interval = lists.min_interval;
  result.zeta = lists.zeta;
  result.residuals.parameter = lists.zeta;
  return result;
}

}  // namespace

struct atl::bvgraph_writer::open_files {
  std::string path;
  graph::bvgraph::graph_writer writer;
  std::uint64_t nodes_named = 0;  ///< the largest successor + 1
};

atl::bvgraph_writer::bvgraph_writer(const std::string& path, const bvgraph_lists& lists)
    : files_(new open_files{path, {path, parameters_of(lists)}}) {}

atl::bvgraph_writer::~bvgraph_writer() = default;

void atl::bvgraph_writer::write(std::span<const std::uint64_t> successors) {
  const auto wrong = std::ranges::adjacent_find(successors, std::ranges::greater_equal());
  if (wrong != successors.end())
    fail(errc::input, "{}: the successors {} and {} of node {} do not increase", files_->path,
         wrong[0], wrong[1], nodes());
  if (!successors.empty() && successors.back() > largest_vertex)
    fail(errc::input, "{}: the successor {} of node {} is above {}", files_->path,
         successors.back(), nodes(), largest_vertex);
  if (!successors.empty())
    files_->nodes_named = std::max(files_->nodes_named, successors.back() + 1);
  files_->writer.write(successors);
}

void atl::bvgraph_writer::commit() {
  if (files_->nodes_named > nodes())
    fail(errc::input, "{}: node {} is a successor, and there are {} nodes", files_->path,
         files_->nodes_named - 1, nodes());
  files_->writer.commit();
}

std::uint64_t atl::bvgraph_writer::nodes() const { return files_->writer.nodes(); }
std::uint64_t atl::bvgraph_writer::arcs() const { return files_->writer.arcs(); }

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
