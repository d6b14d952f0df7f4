// Implements the functions of atoll/kernels/betweenness.hpp.

#include "atoll/kernels/betweenness.hpp"
#include "atoll/kernels/betweenness/run.hpp"
#include "atoll/kernels/betweenness/validation.hpp"
#include "atoll/kernels/common/top_vertices.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/sync/by_first_pe.hpp"

namespace atl {
namespace {

namespace kernel = kernels::betweenness;

/// Returns the sources that the options choose.
kernel::source_choice sources_of(std::uint64_t vertices, const betweenness_options& with) {
  return {vertices, std::min(vertices, with.sources.value_or(vertices)), with.seed};
}

/// Computes the values of all vertices, and returns these values with the times of the computation.
template <class Id>
task<betweenness_values> compute(global_graph graph, distributed_graph<Id> rows,
                                 betweenness_values found, progress_view progress, site where) {
  const kernels::travelling_progress heard(progress);
  const auto start = now();
  const auto on = co_await kernel::workspace<Id>::make(rows, graph.is_directed());
  found.plan_seconds = seconds_since(start);
  const auto prepared = now();
  const auto from = sources_of(graph.vertices(), found.with);
  const double factor = kernel::factor_of(from, graph.is_directed(), found.with.normalized);
  const auto run = [on, found, heard, from, factor]() -> task<std::uint64_t> {
    const auto scores = found.betweenness.local();
    const auto failed = co_await on.all_add_up(from, scores, heard.teller("accumulating"));
    for (double& score : scores) score *= factor;
    co_return failed;
  };
  const std::uint64_t failed = co_await from_all_pes(run);
  found.sources = from.count;
  found.seconds = seconds_since(prepared);
  co_await on.destroy();
  if (failed != kernel::no_source) {
    co_await found.destroy();
    fail(errc::input,
         "{}: betweenness: so many shortest paths lead from vertex {} to another one that a double "
         "cannot hold their number",
         to_string(where), co_await graph.name_of(failed));
  }
  progress("accumulating", 1);
  co_return found;
}

/// Number of wrong values on all PEs, and the smallest vertex with a wrong value.
struct wrong_values {
  std::uint64_t count = 0;
  vertex_id first = no_vertex;
  double has = 0;    ///< value of the vertex `first`
  double needs = 0;  ///< expected value of the vertex `first`

  static wrong_values of_both(const wrong_values& a, const wrong_values& b) {
    wrong_values both = a.first <= b.first ? a : b;
    both.count = a.count + b.count;
    return both;
  }
};

/// Compares the values with the expected values. Every PE calls this function.
task<wrong_values> all_compare(betweenness_values found, per_pe<stored_edges> stored,
                               const partition& shape, bool directed) {
  const auto from = sources_of(shape.vertices, found.with);
  const double factor = kernel::factor_of(from, directed, found.with.normalized);
  const auto expected =
      co_await kernel::all_expected_scores(shape, stored.local(), directed, from, factor);
  wrong_values wrong;
  const auto mine = found.betweenness.local();
  for (std::size_t row = 0; row < mine.size(); ++row) {
    if (kernel::is_as_expected(mine[row], expected[row])) continue;
    if (wrong.count++ != 0) continue;
    wrong.first = found.betweenness.first_vertex() + row;
    wrong.has = mine[row];
    wrong.needs = expected[row];
  }
  co_return co_await all_reduce(wrong, &wrong_values::of_both);
}

constexpr memory::call_of_one k_betweenness{"betweenness", "all_betweenness"},
    k_all_betweenness{"all_betweenness", nullptr}, k_verify{"verify", "all_verify"},
    k_top{"top", "all_top"}, k_write{"write", "all_write"};

}  // namespace

task<betweenness_values> betweenness(global_graph graph, betweenness_options options, site where) {
  graph.check_whole_rows("betweenness", where);
  if (options.sources == std::uint64_t{0})
    fail(errc::input, "{}: betweenness: sources is 0, and must be at least 1", to_string(where));
  const memory::named_call call(k_betweenness, where);
  betweenness_values found;
  found.with = options;
  found.with.progress = {};
  found.betweenness = co_await make_vertex_array<double>(graph, elements_are::numbers, where);
  const auto on_rows = [&](auto rows) {
    return compute(graph, rows, found, options.progress, where);
  };
  co_return co_await graph.on_ids(on_rows);
}

task<betweenness_values> all_betweenness(global_graph graph, betweenness_options options,
                                         site where) {
  const memory::named_call call(k_all_betweenness, where);
  const auto by_one = [=] { return betweenness(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

std::vector<vertex_id> betweenness_sources(std::uint64_t vertices,
                                           const betweenness_options& options) {
  const auto from = sources_of(vertices, options);
  std::vector<vertex_id> all;
  for (std::uint64_t i = 0; i < from.count; ++i) all.push_back(from.at(i));
  return all;
}

task<> verify(global_graph graph, betweenness_values found, site where) {
  graph.check_result(found.betweenness, where);
  const memory::named_call call(k_verify, where);
  const auto compare = [stored = graph.kept_edges("verify", where), layout = graph.layout(), found,
                        directed = graph.is_directed()] {
    return all_compare(found, stored, layout->shape, directed);
  };
  const wrong_values wrong = co_await from_all_pes(compare, where);
  if (wrong.count == 0) co_return;
  const std::string name = co_await graph.name_of(wrong.first);
  fail(errc::wrong_result,
       "{}: vertex {} has the betweenness {}, and a serial program finds {}; {} of {} values are "
       "wrong",
       to_string(where), name, wrong.has, wrong.needs, wrong.count, graph.vertices());
}

task<> all_verify(global_graph graph, betweenness_values found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<std::vector<vertex_betweenness>> betweenness_values::top(std::size_t most, site where) const {
  const vertex_array<double> values = betweenness;
  values.check(where);
  const memory::named_call call(k_top, where);
  std::vector<vertex_betweenness> shown;
  for (const auto& one : co_await kernels::top_vertices(values, most, where))
    shown.push_back({one.vertex, one.value});
  co_return shown;
}

task<> betweenness_values::write(std::string path, site where) const {
  const vertex_array<double> values = betweenness;
  values.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [values]() -> graph::described_vertices {
    const auto value = [values](std::uint64_t row, std::size_t) { return values.written(row); };
    return {{values.column("betweenness")}, value};
  };
  co_await graph::write_vertex_file(values.layout(), std::move(path), describe);
}

task<> betweenness_values::destroy(site where) const { return betweenness.destroy(where); }

task<std::vector<vertex_betweenness>> betweenness_values::all_top(std::size_t most,
                                                                  site where) const {
  return all_by_first([found = *this, most, where] { return found.top(most, where); }, where);
}

task<> betweenness_values::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> betweenness_values::all_destroy(site where) const { return betweenness.all_destroy(where); }

}  // namespace atl
