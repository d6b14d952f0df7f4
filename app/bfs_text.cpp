#include "app/bfs_text.hpp"

#include "app/graph_text.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace atl::app {
namespace {

namespace bfs = kernels::bfs;

constexpr const char* k_rules[] = {
    "",
    "the parents make a tree with the root on top",
    "a vertex is one level below its parent",
    "the ends of an edge are at most one level apart",
    "no edge leaves the tree",
    "a vertex and its parent are joined by an edge",
};

// There may be many of them.
constexpr std::size_t k_longest_examples = 70;
constexpr std::size_t k_longest_path = 40;
constexpr std::size_t k_most_levels = 24;
constexpr std::size_t k_most_lines = 20;

std::string range(std::uint64_t least, std::uint64_t most) {
  if (least == most) return grouped_digits(least);
  return fmt::format("{} to {}", grouped_digits(least), grouped_digits(most));
}

std::string search_line(const bfs_findings& found, const bfs::search_outcome& search,
                        const shown_vertex& root) {
  return fmt::format("{} of {} vertices reached from {} in {}",
                     grouped_digits(search.reached_vertices), grouped_digits(found.size.vertices),
                     short_name(root.text), plural(search.levels, "level"));
}

std::string searches_line(const bfs_findings& found, const std::vector<bfs::search_outcome>& all) {
  const auto [least, most] = std::ranges::minmax(all, {}, &bfs::search_outcome::reached_vertices);
  const auto [flat, deep] = std::ranges::minmax(all, {}, &bfs::search_outcome::levels);
  return fmt::format("{} of {} vertices reached in {} levels, from {} random roots",
                     range(least.reached_vertices, most.reached_vertices),
                     grouped_digits(found.size.vertices), range(flat.levels, deep.levels),
                     all.size());
}

void add_search_lines(report& result, const bfs_flags& flags, const bfs_findings& found) {
  const auto& searches = found.trials.back();
  if (flags.chosen_roots.empty() && searches.size() > 1) {
    result.line(searches_line(found, searches));
    return;
  }
  for (std::size_t i = 0; i < std::min(searches.size(), k_most_lines); ++i)
    result.line(search_line(found, searches[i], found.roots[i]));
  if (searches.size() > k_most_lines)
    result.line(fmt::format("and {} more roots", searches.size() - k_most_lines));
}

// As many as a line holds.
std::string examples_text(const bfs_level& level) {
  std::string text;
  std::uint64_t shown = 0;
  for (const auto& example : level.examples) {
    const auto name = short_name(example);
    if (shown > 0 && text.size() + name.size() > k_longest_examples) break;
    text += (shown++ == 0 ? "  " : ", ") + name;
  }
  return shown > 0 && shown < level.vertices ? text + ", ..." : text;
}

void add_level_lines(report& result, const bfs_findings& found) {
  result.line("");
  result.line(fmt::format("levels from {}, with the vertices of most neighbours",
                          short_name(found.roots.front().text)));
  const auto shown = std::min(found.levels.size(), k_most_levels);
  for (std::size_t level = 0; level < shown; ++level) {
    result.line(fmt::format("{:>5} {:>15}{}", level, grouped_digits(found.levels[level].vertices),
                            examples_text(found.levels[level])));
  }
  if (shown < found.levels.size())
    result.line(fmt::format("  and so on to level {}", grouped_digits(found.levels.size() - 1)));
}

// Arrows as the edges of the input stand.
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

void add_path_lines(report& result, const bfs_flags& flags, const bfs_findings& found) {
  result.line("");
  const auto& root = short_name(found.roots.front().text);
  const auto goal = short_name(flags.path_to);
  if (found.path.empty()) {
    result.line(fmt::format("no path leads from {} to {}", root, goal));
    return;
  }
  result.line(
      fmt::format("a path of {} from {} to {}", plural(found.path.size() - 1, "edge"), root, goal));
  std::string text = " ";
  for (std::size_t i = 0; i < found.path.size(); ++i) {
    const bool left_out = i >= k_longest_path / 2 && found.path.size() - i > k_longest_path / 2;
    if (left_out && i > k_longest_path / 2) continue;
    text += i == 0 ? " " : arrow(flags.arcs_are);
    text += left_out ? "..." : short_name(found.path[i]);
  }
  result.line(text);
}

void add_difference_lines(report& result, const input_differences& found) {
  if (found.total() == 0) return;
  result.line("");
  const auto tell = [&result](std::uint64_t count, std::string_view what) {
    if (count > 0)
      result.line(fmt::format("the graph is not that of its input: {} {}", count, what));
  };
  tell(found.edges, "edges too many or too few");
  tell(found.degrees, "vertices have more or fewer arcs");
  tell(found.neighbours, "vertices have other neighbours");
}

void add_violation_lines(report& result, const bfs_findings& found) {
  const auto violations = found.found();
  if (violations.total() == 0) return;
  result.line("");
  for (int rule = 1; rule <= 5; ++rule) {
    if (violations.of_rule[rule] > 0)
      result.line(fmt::format("rule {} ({}): {}", rule, k_rules[rule],
                              plural(violations.of_rule[rule], "violation")));
  }
}

double median_seconds(const bfs_findings& found, std::size_t root) {
  std::vector<double> seconds;
  for (const auto& trial : found.trials) seconds.push_back(trial[root].seconds);
  std::ranges::sort(seconds);
  return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

void add_searches(report& result, const bfs_findings& found) {
  for (std::size_t i = 0; i < found.roots.size(); ++i) {
    const auto& search = found.trials.back()[i];
    named_values values = {{"root", found.roots[i].input_id.value_or(search.root)},
                           {"name", found.roots[i].text},
                           {"levels", search.levels},
                           {"reached_vertices", search.reached_vertices},
                           {"traversed_edges", search.traversed_edges}};
    if (!result.wrong()) {
      const double seconds = median_seconds(found, i);
      values.emplace_back("seconds", seconds);
      values.emplace_back("rate", static_cast<double>(search.traversed_edges) / seconds);
    }
    result.add_to_section("searches", values);
  }
}

void add_levels(report& result, const bfs_findings& found) {
  std::vector<std::uint64_t> vertices;
  for (const auto& level : found.levels) vertices.push_back(level.vertices);
  result.section("levels", vertices);
}

void add_violations(report& result, const bfs_findings& found) {
  result.section("input_differences", {{"edges", found.input.edges},
                                       {"degrees", found.input.degrees},
                                       {"neighbours", found.input.neighbours}});
  const auto violations = found.found();
  named_values counts;
  for (int rule = 1; rule <= 5; ++rule)
    counts.emplace_back(fmt::format("rule_{}", rule), violations.of_rule[rule]);
  result.section("violations", counts);
}

void add_sections(report& result, const bfs_flags& flags, const bfs_findings& found) {
  constexpr const char* orientations[] = {"undirected", "out", "in"};
  add_graph_sections(result, found,
                     {{"orientation", orientations[static_cast<int>(flags.arcs_are)]}});
  add_searches(result, found);
  add_levels(result, found);
  if (!flags.path_to.empty()) result.section("path", found.path);
  if (flags.common.verify) add_violations(result, found);
}

}  // namespace

void describe(report& result, const bfs_flags& flags, const bfs_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_sections(result, flags, found);
  add_graph_lines(result, found);
  add_search_lines(result, flags, found);
  if (flags.levels) add_level_lines(result, found);
  if (!flags.path_to.empty()) add_path_lines(result, flags, found);
  add_difference_lines(result, found.input);
  add_violation_lines(result, found);
}

}  // namespace atl::app
