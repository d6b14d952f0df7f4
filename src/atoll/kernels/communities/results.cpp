// Implements the functions of atoll/kernels/communities.hpp.

#include "atoll/kernels/cc/run.hpp"
#include "atoll/kernels/common/negative_weights.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/communities.hpp"
#include "atoll/kernels/communities/run.hpp"
#include "atoll/kernels/communities/validation.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <cmath>
#include <exception>

namespace atl {
namespace {

namespace kernel = kernels::communities;

kernel::parameters parameters_of(const communities_options& options) {
  if (!(options.resolution >= 0 && std::isfinite(options.resolution)))
    fail(errc::input, "resolution: {} is below 0, or no finite number", options.resolution);
  if (options.iterations == 0) fail(errc::input, "iterations: 0 is below 1");
  return {options.quality == community_quality::constant_potts, options.resolution, options.seed,
          options.iterations, options.copied_below};
}

template <class Id>
task<vertex_communities> group(distributed_graph<Id> rows, vertex_communities found,
                               progress_view progress) {
  const auto facts =
      co_await from_all_pes([rows] { return kernel::all_weight_facts(rows.local()); });
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const kernels::travelling_progress heard(progress);
  const auto run = [on, found, facts, heard] {
    return kernel::all_run(on, facts, parameters_of(found.with), heard.teller("grouping"),
                           found.label.local());
  };
  const kernel::run_outcome all = co_await from_all_pes(run);
  co_await on.destroy();
  found.count = all.found.count;
  found.levels = all.found.levels;
  found.iterations = all.found.iterations;
  found.modularity = all.found.modularity;
  found.quality = all.found.quality;
  found.seconds = all.seconds;
  progress("grouping", 1);
  co_return found;
}

/// The result of the check of communities. PE 0 makes the check and sends the result to all PEs.
struct judgement {
  bool is_right = true;
  kernel::wrong_label wrong;
  kernel::expected_quality expected;
};

/// Returns the labels of all vertices on PE 0. Every PE calls this function.
task<std::vector<vertex_id>> all_labels(const vertex_communities& found) {
  std::vector<vertex_id> labels;
  const std::span<const vertex_id> mine = found.label.local();
  for (const auto& of_pe : co_await all_gather_to(0, mine))
    labels.insert(labels.end(), of_pe.begin(), of_pe.end());
  co_return labels;
}

/// Returns the rule that computes the weight of an arc from the weights of parallel edges.
kernels::merged_weight merging_of(const global_graph& graph) {
  if (!graph.has_arc_weights()) return kernels::merged_weight::none;
  return graph.parallel() == parallel_edges::least ? kernels::merged_weight::smallest
                                                   : kernels::merged_weight::sum;
}

/// Checks communities on PE 0. Every PE calls this function.
task<judgement> all_judge(global_graph graph, vertex_communities found,
                          per_pe<stored_edges> stored) {
  const bool directed = graph.is_directed();
  const auto how = merging_of(graph);
  const auto out = co_await kernels::all_serial_graph(
      stored.local(), graph.vertices(), directed ? orientation::out : orientation::undirected, how);
  const auto labels = co_await all_labels(found);
  judgement judged;
  if (my_pe() == 0) {
    const auto arcs = kernel::both_ways(out, directed);
    const auto wrong = kernel::find_wrong_label(arcs, labels);
    judged.is_right = !wrong.has_value();
    if (wrong) judged.wrong = *wrong;
    const bool potts = found.with.quality == community_quality::constant_potts;
    judged.expected =
        kernel::quality_of(arcs, labels, potts ? 1 : found.with.resolution, found.with.resolution);
  }
  co_return co_await all_broadcast(judged);
}

/// Returns the name of `vertex` in files. If `vertex` is not a vertex of the graph, returns the
/// number `vertex` as a text.
task<std::string> name_or_number(global_graph graph, vertex_id vertex) {
  if (vertex < graph.vertices()) co_return co_await graph.name_of(vertex);
  co_return std::to_string(vertex);
}

/// Throws `error` (wrong_result) that names the vertex and its label.
task<> refuse_label(global_graph graph, kernel::wrong_label wrong, site where) {
  const std::string vertex = co_await graph.name_of(wrong.vertex);
  const std::string has = co_await name_or_number(graph, wrong.has);
  const std::string needs = co_await graph.name_of(wrong.needs);
  if (wrong.has != wrong.needs)
    fail(errc::wrong_result,
         "{}: vertex {} has the label {}, and the smallest vertex of its community is {}",
         to_string(where), vertex, has, needs);
  fail(errc::wrong_result,
       "{}: the community of vertex {} is not connected: no path within it leads from vertex {} "
       "to vertex {}",
       to_string(where), needs, needs, vertex);
}

/// Throws `error` (wrong_result) if a value differs from the expected value by more than 1e-9. If
/// the expected value is above 1, the difference is relative to the expected value.
void check_value(const char* what, double has, double needs, site where) {
  constexpr double allowed = 1e-9;
  if (std::abs(has - needs) <= allowed * std::max(1.0, std::abs(needs))) return;
  fail(errc::wrong_result, "{}: the {} is {}, and not {}", to_string(where), what, needs, has);
}

constexpr memory::call_of_one k_communities{"communities", "all_communities"},
    k_all_communities{"all_communities", nullptr}, k_verify{"verify", "all_verify"},
    k_largest{"largest", "all_largest"}, k_write{"write", "all_write"};

}  // namespace

task<vertex_communities> communities(global_graph graph, communities_options options, site where) {
  graph.check_neighbours(where);
  graph.check_whole_rows("communities", where);
  static_cast<void>(parameters_of(options));
  const memory::named_call call(k_communities, where);
  if (graph.has_arc_weights())
    co_await kernels::refuse_negative_weights(graph, "communities", where);
  vertex_communities found;
  found.with = options;
  found.with.progress = {};
  found.label = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices, where);
  std::exception_ptr refused;
  try {
    co_return co_await graph.on_ids(
        [&](auto rows) { return group(rows, found, options.progress); });
  } catch (const error&) {
    refused = std::current_exception();
  }
  co_await found.label.destroy(where);
  std::rethrow_exception(refused);
}

task<vertex_communities> all_communities(global_graph graph, communities_options options,
                                         site where) {
  const memory::named_call call(k_all_communities, where);
  const auto by_one = [=] { return communities(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, vertex_communities found, site where) {
  graph.check_result(found.label, where);
  const memory::named_call call(k_verify, where);
  const auto judge = [graph, found, stored = graph.kept_edges("verify", where)] {
    return all_judge(graph, found, stored);
  };
  const judgement judged = co_await from_all_pes(judge, where);
  if (!judged.is_right) co_await refuse_label(graph, judged.wrong, where);
  const auto& expected = judged.expected;
  if (expected.count != found.count)
    fail(errc::wrong_result, "{}: there are {} communities, and not {}", to_string(where),
         expected.count, found.count);
  const bool potts = found.with.quality == community_quality::constant_potts;
  check_value("modularity", found.modularity, expected.modularity, where);
  check_value("quality", found.quality, potts ? expected.potts : expected.modularity, where);
}

task<> all_verify(global_graph graph, vertex_communities found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<std::vector<community>> vertex_communities::largest(std::size_t most, site where) const {
  const vertex_array<vertex_id> labels = label;
  labels.check(where);
  const memory::named_call call(k_largest, where);
  const auto sizes = co_await per_pe<kernels::cc::size_part<vertex_id>>::make();
  const auto count = [labels, sizes, most] {
    const kernels::cc::labels_here<vertex_id> mine(labels.local(), labels.first_vertex());
    return kernels::cc::all_sizes(labels.layout()->shape, mine, sizes, most);
  };
  const auto all = co_await from_all_pes(count, where);
  co_await sizes.destroy();
  std::vector<community> told;
  for (const auto& one : all.largest) told.push_back({one.smallest, one.vertices});
  co_return told;
}

task<> vertex_communities::write(std::string path, site where) const {
  const vertex_array<vertex_id> labels = label;
  labels.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [labels]() -> graph::described_vertices {
    const auto value = [labels](std::uint64_t row, std::size_t) { return labels.written(row); };
    return {{labels.column("community")}, value};
  };
  co_await graph::write_vertex_file(labels.layout(), std::move(path), describe);
}

task<> vertex_communities::destroy(site where) const { return label.destroy(where); }

task<std::vector<community>> vertex_communities::all_largest(std::size_t most, site where) const {
  return all_by_first([found = *this, most, where] { return found.largest(most, where); }, where);
}

task<> vertex_communities::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> vertex_communities::all_destroy(site where) const { return label.all_destroy(where); }

}  // namespace atl
