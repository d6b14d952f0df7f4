#include "app/graph_input.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>

namespace atl::app {

task<shown_vertex> shown(vertex_names names, std::uint64_t vertex) {
  shown_vertex result;
  result.id = vertex;
  result.text = co_await names.name_of(vertex);
  if (names.are_ids()) result.input_id = std::stoull(result.text);
  if (result.text.empty()) result.text = std::to_string(vertex);
  co_return result;
}

std::uint64_t peak_of_own_process() {
  const settings& options = job_settings();
  const bool is_shared =
      options.pe_kind == pe_kind::thread || options.transport == transport_kind::sim;
  if (is_shared && my_pe() != 0) return 0;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

task<> graph_input::destroy() const {
  co_await names.destroy();
  co_await edges.destroy();
}

task<> graph_input::forget_edges() const {
  co_await on_all_pes([stored = edges] { stored->edges = packed_edges(); });
}

namespace {

task<double> longest_scan(per_pe<stored_edges> edges) {
  const auto longest = [edges] {
    return all_reduce(edges->scan_seconds, [](double a, double b) { return std::max(a, b); });
  };
  co_return co_await from_all_pes(longest);
}

}  // namespace

task<graph_input> read_input(graph_flags flags, trial_series& trials, graph_findings& findings) {
  graph_input input;
  input.edges = co_await per_pe<stored_edges>::make();
  input.names = co_await vertex_names::make();
  if (flags.generated()) {
    input.size = {flags.random.vertices(), flags.random.edges()};
  } else {
    flags.files.show_progress = [&](double done) {
      trials.show(fmt::format("reading {}: {:.0f} %", flags.files.edges, 100 * done));
    };
    const auto start = now();
    input.size = co_await load_edges(flags.files, input.edges, input.names);
    findings.read_seconds = seconds_since(start);
    findings.scan_seconds = co_await longest_scan(input.edges);
    const stored_edges& here = input.edges.local();
    findings.remarks = here.remarks;
    findings.weight_column = here.weight_column;
    findings.columns_left_out = here.columns_left_out;
  }
  findings.size = input.size;
  findings.named = input.names.any();
  co_return input;
}

}  // namespace atl::app
