#include "app/driver/graph_findings.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"

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

void take_facts(const graph_builder& builder, graph_findings& findings) {
  const reading_notes& notes = builder.notes();
  findings.size = {builder.vertices(), builder.edges()};
  findings.named = builder.names().any();
  findings.remarks = notes.remarks;
  findings.weight_column = notes.weight_column;
  findings.columns_left_out = notes.columns_left_out;
}

task<> gather_facts(global_graph graph, graph_findings& findings) {
  const graph_statistics kept = co_await graph.statistics();
  findings.id_bits = kept.id_bits;
  findings.hubs = kept.hubs;
  findings.read_seconds = kept.read_seconds;
  findings.scan_seconds = kept.scan_seconds;
  findings.build_seconds = kept.build_seconds;
  const auto look = []() -> task<std::vector<std::uint64_t>> {
    co_return co_await all_gather(peak_of_own_process());
  };
  const auto peaks = co_await from_all_pes(look);
  findings.pes.clear();
  for (std::size_t pe = 0; pe < peaks.size(); ++pe) {
    const part_statistics& part = kept.parts[pe];
    findings.pes.push_back({part.vertices, part.arcs, part.bytes, peaks[pe]});
  }
}

void add_fault(report& result, const graph_findings& found) {
  result.line(found.wrong);
  result.section("wrong", found.wrong);
}

std::string short_name(const std::string& name) {
  constexpr std::size_t longest = 40;
  if (name.size() <= longest) return name;
  std::size_t end = longest - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

std::string plural(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", grouped_digits(count), one, count == 1 ? "" : "s");
}

std::string vertices_text(std::uint64_t count) {
  return fmt::format("{} {}", grouped_digits(count), count == 1 ? "vertex" : "vertices");
}

std::string weights_text(const graph_findings& found) {
  if (found.weight_column == 0) return "of the file";
  return fmt::format("of the file, column {}", found.weight_column);
}

void add_columns_left_out(report& result, const graph_findings& found) {
  if (found.columns_left_out > 0)
    result.line(fmt::format("left out: {} of the file", plural(found.columns_left_out, "column")));
}

void add_graph_lines(report& result, const graph_findings& found, const std::string& name) {
  if (result.is_answer()) {
    result.line(fmt::format("{}: {}, {}", name, vertices_text(found.size.vertices),
                            plural(found.size.edges, "edge")));
    add_remarks(result, found.remarks);
    return;
  }
  auto size =
      fmt::format("graph: {}, {}, {} kept in {} bits each", vertices_text(found.size.vertices),
                  plural(found.size.edges, "edge"), plural(found.arcs(), "arc"), found.id_bits);
  if (found.hubs > 0) size += fmt::format(", those of {} on all PEs", plural(found.hubs, "hub"));
  result.line(size);
  result.line(fmt::format("balance: the largest PE holds {:.2f} times its share of the arcs",
                          found.balance()));
  add_remarks(result, found.remarks);
}

void add_remarks(report& result, const std::vector<std::string>& remarks) {
  if (remarks.empty()) return;
  for (const auto& remark : remarks) result.line("note: " + remark);
  result.section("notes", std::span<const std::string>(remarks));
}

void add_graph_metrics(report& result, const graph_findings& found, bool generated) {
  if (!generated) result.add({"read_seconds", "s", found.read_seconds});
  if (found.scan_seconds > 0) result.add({"scan_seconds", "s", found.scan_seconds});
  result.add({"build_seconds", "s", found.build_seconds});
  double bytes = 0;
  for (const auto& pe : found.pes) bytes += static_cast<double>(pe.bytes_peak);
  result.add({"bytes_peak", "B", bytes});
}

void add_graph_sections(report& result, const graph_findings& found, named_values more) {
  named_values graph = {{"vertices", found.size.vertices},
                        {"input_edges", found.size.edges},
                        {"arcs", found.arcs()},
                        {"hubs", found.hubs},
                        {"id_bits", std::uint64_t{found.id_bits}},
                        {"balance", found.balance()}};
  if (found.scanned_edges != 0) graph.emplace_back("scanned_edges", found.scanned_edges);
  graph.insert(graph.end(), more.begin(), more.end());
  result.section("graph", graph);
  for (const auto& pe : found.pes) {
    result.add_to_section("per_pe",
                          {{"vertices", pe.vertices}, {"arcs", pe.arcs}, {"bytes", pe.bytes}});
  }
}

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t id_in_range(std::string_view flag, const std::string& text, std::uint64_t vertices) {
  constexpr std::size_t digits_that_fit = 19;  // a number of 19 digits fits in 64 bits
  if (vertices == 0) fail(errc::input, "{}: the graph has no vertices", flag);
  if (text.size() <= digits_that_fit && std::stoull(text) < vertices) return std::stoull(text);
  fail(errc::input, "{}: {} is out of range (0 to {})", flag, text, vertices - 1);
}

/// Returns the text between two vertices of a printed path: an arrow in the direction of the
/// input's edges, or a dash for undirected edges.
std::string_view arrow(orientation arcs_are) {
  switch (arcs_are) {
  case orientation::out:
    return " -> ";
  case orientation::in:
    return " <- ";
  case orientation::undirected:
    break;
  }
  return " - ";
}

}  // namespace

task<vertex_id> vertex_of(std::string_view flag, std::string text, const graph_builder& read,
                          const graph_files& files) {
  const auto names = read.names();
  const auto named = co_await names.find(text);
  if (named) co_return *named;
  const bool named_by_edges = names.any() && files.names.empty();
  if (!named_by_edges && is_number(text)) co_return id_in_range(flag, text, read.vertices());
  if (!names.any())
    fail(errc::input, "{}: \"{}\" is no vertex id, and the vertices have no names", flag, text);
  if (names.are_ids())
    fail(errc::input, "{}: no edge of {} has the vertex \"{}\"", flag, files.edges, text);
  const std::string nearest = co_await names.nearest(text);
  fail(errc::input, "{}: no vertex is called \"{}\"{}", flag, text,
       nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest));
}

std::string path_text(const std::vector<std::string>& path, orientation arcs_are) {
  constexpr std::size_t longest = 40;
  std::string text = " ";
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool left_out = i >= longest / 2 && path.size() - i > longest / 2;
    if (left_out && i > longest / 2) continue;
    text += i == 0 ? " " : arrow(arcs_are);
    text += left_out ? "..." : short_name(path[i]);
  }
  return text;
}

}  // namespace atl::app
