// A graph as a person reads about it.

#include "app/driver/graph_input.hpp"
#include "app/graph_info.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace atl::app {
namespace {

std::string row(std::string_view what, const std::string& value) {
  return fmt::format("{:<12} {}\n", what, value);
}

std::string headline(const graph_info& info) {
  const auto packing = info.format.packing == compression::none
                           ? std::string()
                           : fmt::format(" in {}", name_of(info.format.packing));
  return fmt::format("{}: {}{}, {}{}\n", info.file, name_of(info.format.edges), packing,
                     human_bytes(static_cast<double>(info.bytes)),
                     info.edges == 0 ? ": an empty graph" : "");
}

std::string vertices_text(const graph_info& info) {
  const auto isolated = info.vertices - info.vertices_with_edges;
  auto text = fmt::format("{}, {} with an edge, {} isolated", grouped_digits(info.vertices),
                          grouped_digits(info.vertices_with_edges), grouped_digits(isolated));
  if (info.named_vertices > 0)
    text += fmt::format(", {} named", grouped_digits(info.named_vertices));
  return text;
}

// The row of a table of graphs: E, E/V and the largest degree.
std::string symmetrised_text(const graph_info& info) {
  return fmt::format("{} edges, {:.2f} for each vertex, at most {}",
                     grouped_digits(symmetrised_edges(info)), edges_per_vertex(info),
                     grouped_digits(info.degrees.front().distribution.most));
}

std::string range_text(std::size_t power) {
  const auto low = std::uint64_t{1} << power;
  return power == 0 ? "1"
                    : fmt::format("{} to {}", grouped_digits(low), grouped_digits(2 * low - 1));
}

// How many vertices have a degree of each power of two.
std::string histogram(const degree_distribution& degrees) {
  constexpr std::uint64_t widest = 50;
  const auto most = std::ranges::max(degrees.by_power);
  std::string text;
  for (std::size_t power = 0; power < degrees.by_power.size(); ++power) {
    const auto count = degrees.by_power[power];
    const auto width = (count * widest + most - 1) / most;
    text += fmt::format("  {:>24} {:>14} {}", range_text(power), grouped_digits(count),
                        std::string(width, '#'));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string degrees_text(const degrees_info& info) {
  const auto& degrees = info.distribution;
  const auto most =
      info.name_of_most.empty() ? fmt::format("vertex {}", degrees.most_vertex) : info.name_of_most;
  auto text = fmt::format("\n{} of the {} vertices that have one\n", info.title,
                          grouped_digits(degrees.vertices));
  text += fmt::format("  least {}, median {}, mean {:.2f}, 99 % {}, most {} at {}\n",
                      grouped_digits(degrees.least), grouped_digits(degrees.median), degrees.mean,
                      grouped_digits(degrees.percentile_99), grouped_digits(degrees.most), most);
  return text + histogram(degrees);
}

std::string weights_text(const graph_info& info) {
  if (!info.weights)
    return info.why_no_weights.empty() ? "" : row("weights", "none; " + info.why_no_weights);
  auto range = fmt::format("{} to {}", info.weights->first, info.weights->second);
  if (info.weight_column != 0) range += fmt::format(", column {}", info.weight_column);
  return row("weights", range);
}

std::string notes_text(const graph_info& info) {
  std::string text;
  if (info.columns_left_out > 0) text += row("left out", plural(info.columns_left_out, "column"));
  for (const auto& remark : info.remarks) text += row("note", remark);
  return text;
}

}  // namespace

std::string text_of(const graph_info& info) {
  auto text = headline(info);
  if (!is_binary(info.format.edges)) text += row("lines", grouped_digits(info.lines));
  text += row("edges", fmt::format("{}{}", grouped_digits(info.edges),
                                   info.undirected ? ", without a direction" : ""));
  text += row("vertices", vertices_text(info));
  if (info.edges == 0) return text + notes_text(info);
  text += row("self-loops", grouped_digits(info.self_loops));
  text += row("duplicates", fmt::format("{}{}", grouped_digits(info.duplicates),
                                        info.directed ? "" : " (the order of the ends aside)"));
  text += row("components", fmt::format("{} with an edge, the largest of {} vertices",
                                        grouped_digits(info.components.count),
                                        grouped_digits(info.components.largest)));
  text += row("memory", fmt::format("{} as a graph, at most {} while it is read and built",
                                    human_bytes(info.built_bytes), human_bytes(info.most_bytes)));
  text += weights_text(info);
  text += row("symmetrised", symmetrised_text(info));
  text += notes_text(info);
  for (const auto& degrees : info.degrees) text += degrees_text(degrees);
  return text;
}

}  // namespace atl::app
