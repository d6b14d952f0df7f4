#include "app/mst_text.hpp"

#include "app/graph_text.hpp"
#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

using kernels::mst::local_method;
using kernels::mst::post_processing;
using kernels::mst::progress_test;

void add_phases(report& result, const kernels::mst::run_outcome& last) {
  const auto& spent = last.spent;
  const std::pair<const char*, double> phases[] = {
      {"filter", spent.filter}, {"build", spent.build}, {"contract", spent.contract},
      {"ghosts", spent.ghosts}, {"merge", spent.merge}, {"ring", spent.ring},
      {"post", spent.post}};
  named_values seconds;
  std::string text = "PE 0 spent";
  for (const auto& [name, value] : phases) {
    seconds.emplace_back(name, value);
    text += fmt::format("{} {} {}", seconds.size() > 1 ? "," : "", human_seconds(value), name);
  }
  result.section("phase_seconds", seconds);
  result.line(text + fmt::format("; {}", plural(last.iterations, "iteration")));
}

std::string weights_text(const mst_findings& found) {
  if (!found.weights_of_file) return "by hash";
  if (found.weight_column == 0) return "of the file";
  return fmt::format("of the file, column {}", found.weight_column);
}

}  // namespace

void add_mst_parameters(report& result, const mst_flags& flags) {
  const auto& how = flags.how;
  result.parameter("algorithm", "mnd");
  result.parameter("exchange",
                   flags.exchange == mst_exchange::one_sided ? "one-sided" : "two-sided");
  result.parameter("post", how.post == post_processing::single ? "single" : "leader");
  result.parameter("group", flags.group);
  result.parameter("filter", how.filter);
  result.parameter("filter_finish", how.filter_finish);
  result.parameter("local", how.local == local_method::sorted ? "sorted" : "rounds");
  result.parameter("theta", how.theta);
  result.parameter("mst_threshold", how.mst_threshold);
  result.parameter("mst_test", how.test == progress_test::remaining ? "remaining" : "new");
  result.parameter("ring_fraction", how.ring_fraction);
  result.parameter("chunks", flags.chunks);
}

void describe(report& result, const mst_flags& flags, const mst_findings& found) {
  if (!flags.generated()) result.add({"seconds_to_read", "s", found.read_seconds});
  const auto& last = found.trials.back();
  const std::uint64_t components = found.size.vertices - last.forest_edges;
  result.section("graph", {{"vertices", found.size.vertices},
                           {"input_edges", found.size.edges},
                           {"edges_left", last.edges},
                           {"id_bits", std::uint64_t{found.id_bits}},
                           {"weights", found.weights_of_file ? "file" : "hash"}});
  result.section("forest_edges", last.forest_edges);
  result.section("components", components);
  result.section("iterations", last.iterations);
  result.line(fmt::format("{}, {} of {} left after duplicates and filter, weights {}",
                          vertices_text(found.size.vertices), grouped_digits(last.edges),
                          plural(found.size.edges, "edge"), weights_text(found)));
  if (found.columns_left_out > 0)
    result.line(fmt::format("left out: {} of the file", plural(found.columns_left_out, "column")));
  add_remarks(result, found.remarks);
  if (result.wrong()) {
    result.line(found.fault_text());
    return;
  }
  const auto weight = fmt::to_string(last.weight.value());
  result.section("forest_weight", weight);
  result.line(fmt::format("weight {}, {}, {}", weight, plural(last.forest_edges, "edge"),
                          plural(components, "component")));
  add_phases(result, last);
  // Every edge of the input, loops and duplicates too, is two arcs of the symmetrised graph.
  const double arcs = 2 * static_cast<double>(found.size.edges);
  const auto peak = static_cast<double>(found.bytes_peak);
  result.section("bytes_peak", found.bytes_peak);
  if (arcs > 0)
    result.line(fmt::format("at most {} in memory, {:.1f} bytes for each of {} arcs",
                            human_bytes(peak), peak / arcs, human_number(arcs)));
}

}  // namespace atl::app
