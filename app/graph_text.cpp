#include "app/graph_text.hpp"

#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {

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

void add_graph_lines(report& result, const graph_findings& found) {
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
  graph.insert(graph.end(), more.begin(), more.end());
  result.section("graph", graph);
  for (const auto& pe : found.pes) {
    result.add_to_section("per_pe", {{"vertices", pe.vertices},
                                     {"arcs", pe.arcs},
                                     {"bytes", pe.bytes},
                                     {"scanned_edges", pe.scanned_edges}});
  }
}

}  // namespace atl::app
