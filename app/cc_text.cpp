#include "app/cc_text.hpp"

#include "app/graph_text.hpp"
#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

std::string share_text(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return "";
  return fmt::format("({:.1f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

std::string components_line(const cc_findings& found) {
  const auto& sizes = found.sizes;
  return fmt::format("{}, {} of them a single vertex", plural(sizes.components, "component"),
                     grouped_digits(sizes.single_vertices));
}

void add_largest_lines(report& result, const cc_findings& found) {
  if (found.largest.empty()) return;
  result.line("");
  result.line("vertices of the largest components, with the smallest vertex of each");
  for (const auto& one : found.largest) {
    result.line(fmt::format("{:>15} {:>9}  {}", grouped_digits(one.vertices),
                            share_text(one.vertices, found.size.vertices),
                            short_name(one.smallest.text)));
  }
}

void add_size_lines(report& result, const cc_findings& found) {
  const auto& counts = found.sizes.by_power;
  if (counts.empty()) return;
  result.line("");
  result.line("components by their number of vertices");
  for (std::size_t power = 0; power < counts.size(); ++power) {
    if (counts[power] == 0) continue;
    const std::uint64_t least = std::uint64_t{1} << power;
    const auto range =
        power == 0 ? "1"
                   : fmt::format("{} to {}", grouped_digits(least), grouped_digits(2 * least - 1));
    result.line(fmt::format("{:>15}  of {}", grouped_digits(counts[power]), range));
  }
}

void add_wrong_lines(report& result, const cc_findings& found) {
  const auto wrong = found.found();
  result.line("");
  const auto tell = [&result](std::uint64_t count, std::string_view what) {
    if (count > 0) result.line(fmt::format("wrong labels: {} {}", plural(count, "time"), what));
  };
  tell(wrong.joined, "a vertex is in a component that no path of the input leads to");
  tell(wrong.apart, "a vertex is apart from the smallest vertex of its component");
}

void add_set_line(report& result, const cc_findings& found) {
  const auto& set = found.trials.back().set;
  result.line(fmt::format("{} tried {}, {} of them sent to other PEs; {} met",
                          plural(set.traversals, "traversal"), plural(set.inserts_tried, "insert"),
                          grouped_digits(set.inserts_sent), plural(set.pairs, "different pair")));
}

void add_sections(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_sections(result, found);
  if (flags.set) {
    const auto& set = found.trials.back().set;
    result.section("set", {{"traversals", set.traversals},
                           {"inserts_tried", set.inserts_tried},
                           {"inserts_sent", set.inserts_sent},
                           {"unique", set.pairs}});
  }
  if (flags.common.verify) {
    const auto wrong = found.found();
    result.section("wrong_labels", {{"joined", wrong.joined}, {"apart", wrong.apart}});
  }
  if (result.wrong()) return;
  const auto& sizes = found.sizes;
  result.section("components", sizes.components);
  result.section("single_vertices", sizes.single_vertices);
  result.section("components_by_power_of_two", sizes.by_power);
  for (const auto& one : found.largest) {
    result.add_to_section("largest",
                          {{"smallest_vertex", one.smallest.input_id.value_or(one.smallest.id)},
                           {"name", one.smallest.text},
                           {"vertices", one.vertices}});
  }
}

}  // namespace

void describe(report& result, const cc_flags& flags, const cc_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_sections(result, flags, found);
  add_graph_lines(result, found);
  if (result.wrong()) {
    add_wrong_lines(result, found);
    return;
  }
  result.line(components_line(found));
  if (flags.set) add_set_line(result, found);
  add_largest_lines(result, found);
  add_size_lines(result, found);
}

}  // namespace atl::app
