#include "app/pagerank_text.hpp"

#include "app/graph_text.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

bool has_converged(const pagerank_flags& flags, const pagerank_findings& found) {
  return found.ended().residual < flags.with.tolerance;
}

std::string convergence_line(const pagerank_flags& flags, const pagerank_findings& found) {
  const auto ended = found.ended();
  return fmt::format("{} after {}: the last changed the ranks by {:.3g} in all, {} {:g}",
                     has_converged(flags, found) ? "converged" : "not converged",
                     plural(ended.iterations, "iteration"), ended.residual,
                     has_converged(flags, found) ? "less than" : "not less than",
                     flags.with.tolerance);
}

void add_top_lines(report& result, const pagerank_findings& found) {
  if (found.top.empty()) return;
  result.line("");
  result.line("vertices of the highest ranks");
  for (const auto& one : found.top)
    result.line(fmt::format("{:>15.6g}  {}", one.rank, short_name(one.of.text)));
}

void add_wrong_ranks(report& result, const pagerank_findings& found) {
  const auto wrong = found.found();
  result.line("");
  result.line(fmt::format("wrong ranks: {} {} off the ranks of the edges read, by up to {:.3g} of "
                          "what {} must be",
                          vertices_text(wrong.vertices), wrong.vertices == 1 ? "is" : "are",
                          wrong.deviation, wrong.vertices == 1 ? "it" : "they"));
}

void add_pagerank_sections(report& result, const pagerank_flags& flags,
                           const pagerank_findings& found) {
  add_graph_sections(result, found);
  result.section("convergence", {{"iterations", found.ended().iterations},
                                 {"residual", found.ended().residual},
                                 {"converged", has_converged(flags, found)}});
  if (flags.common.verify) {
    const auto wrong = found.found();
    result.section("wrong_ranks",
                   {{"vertices", wrong.vertices}, {"largest_deviation", wrong.deviation}});
  }
  if (result.wrong()) return;
  for (const auto& one : found.top) {
    result.add_to_section("top", {{"vertex", one.of.input_id.value_or(one.of.id)},
                                  {"name", one.of.text},
                                  {"rank", one.rank}});
  }
}

}  // namespace

void describe(report& result, const pagerank_flags& flags, const pagerank_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  result.add({"plan_seconds", "s", found.plan_seconds});
  add_pagerank_sections(result, flags, found);
  add_graph_lines(result, found);
  if (result.wrong()) {
    add_wrong_ranks(result, found);
    return;
  }
  result.line(convergence_line(flags, found));
  add_top_lines(result, found);
}

}  // namespace atl::app
