// Implements the functions of atoll/kernels/components.hpp.

#include "atoll/kernels/cc/run.hpp"
#include "atoll/kernels/common/name_or_number.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/sync/by_first_pe.hpp"

namespace atl {
namespace {

namespace kernel = kernels::cc;

/// Returns the number of this PE's vertices that have themselves as labels.
std::uint64_t roots_here(const vertex_array<vertex_id>& labels) {
  std::uint64_t roots = 0;
  labels.for_each_local(
      [&](vertex_id vertex, vertex_id label) { roots += vertex == label ? 1 : 0; });
  return roots;
}

/// Returns the first vertex of this PE that has an impossible label: a label that is not a vertex
/// of the graph. If all labels are vertices, returns no_vertex.
vertex_id first_without_label(const vertex_array<vertex_id>& labels) {
  const auto is_none = [&](vertex_id label) { return label >= labels.size(); };
  const auto mine = labels.local();
  const auto first = std::ranges::find_if(mine, is_none);
  return first == mine.end() ? no_vertex
                             : labels.first_vertex() + static_cast<vertex_id>(first - mine.begin());
}

template <class Id>
task<components> label(distributed_graph<Id> rows, components found, progress_view progress) {
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const kernels::travelling_progress heard(progress);
  const auto run = [on, found, heard]() -> task<components> {
    on.forests->progress = heard.teller("labelling");
    const kernel::run_outcome outcome = co_await kernel::all_run(on, false);
    const auto& labels = on.forests->labels;
    std::copy(labels.begin(), labels.end(), found.label.local().begin());
    components all = found;
    all.seconds = outcome.seconds;
    all.count = co_await all_reduce(roots_here(found.label), graph::k_sum);
    all.arcs_looked_at = co_await all_reduce(on.forests->scanned_edges, graph::k_sum);
    co_return all;
  };
  found = co_await from_all_pes(run);
  co_await on.destroy();
  progress("labelling", 1);
  co_return found;
}

/// Differences between the labels of all PEs and the expected labels.
struct differences {
  std::uint64_t labels = 0;     ///< number of vertices with a wrong label
  vertex_id first = no_vertex;  ///< smallest vertex with a wrong label
  vertex_id has = no_vertex;    ///< label of the vertex `first`
  vertex_id needs = no_vertex;  ///< expected label of the vertex `first`
  std::uint64_t count = 0;      ///< number of components according to the edges of the input

  static differences of_both(const differences& a, const differences& b) {
    differences both = a.first <= b.first ? a : b;
    both.labels = a.labels + b.labels;
    both.count = a.count + b.count;
    return both;
  }
};

/// Compares the labels with the expected labels. Every PE calls this function.
task<differences> all_compare(const components& found, per_pe<stored_edges> stored,
                              const partition& shape) {
  const auto expected = co_await kernel::all_expected_labels<vertex_id>(shape, stored.local());
  differences mine;
  const auto labels = found.label.local();
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const vertex_id vertex = found.label.first_vertex() + row;
    mine.count += expected[row] == vertex ? 1 : 0;
    if (labels[row] == expected[row]) continue;
    if (mine.labels++ != 0) continue;
    mine.first = vertex;
    mine.has = labels[row];
    mine.needs = expected[row];
  }
  co_return co_await all_reduce(mine, &differences::of_both);
}

constexpr memory::call_of_one k_components{"connected_components", "all_connected_components"},
    k_all_components{"all_connected_components", nullptr}, k_verify{"verify", "all_verify"},
    k_sizes{"sizes", nullptr}, k_largest{"largest", "all_largest"}, k_write{"write", "all_write"};

}  // namespace

task<components> connected_components(global_graph graph, components_options options, site where) {
  graph.check_neighbours(where);
  const memory::named_call call(k_components, where);
  components found;
  found.label = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices, where);
  co_return co_await graph.on_ids([&](auto rows) { return label(rows, found, options.progress); });
}

task<components> all_connected_components(global_graph graph, components_options options,
                                          site where) {
  const memory::named_call call(k_all_components, where);
  const auto by_one = [=] { return connected_components(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, components found, site where) {
  graph.check_result(found.label, where);
  const memory::named_call call(k_verify, where);
  const auto compare = [stored = graph.kept_edges("verify", where), layout = graph.layout(),
                        found] { return all_compare(found, stored, layout->shape); };
  const differences wrong = co_await from_all_pes(compare, where);
  if (wrong.labels != 0) {
    const std::string vertex = co_await graph.name_of(wrong.first);
    const std::string has = co_await kernels::name_or_number(graph, wrong.has);
    const std::string needs = co_await kernels::name_or_number(graph, wrong.needs);
    fail(errc::wrong_result,
         "{}: vertex {} has the label {}, and the smallest vertex of its component is {}; {} of {} "
         "vertices have a wrong label",
         to_string(where), vertex, has, needs, wrong.labels, graph.vertices());
  }
  if (wrong.count != found.count)
    fail(errc::wrong_result, "{}: there are {} components, and not {}", to_string(where),
         wrong.count, found.count);
}

task<> all_verify(global_graph graph, components found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<component_counts> components::sizes(std::size_t most, site where) const {
  const components found = *this;
  found.label.check(where);
  const memory::named_call call(k_sizes, where);
  const auto least = [](vertex_id a, vertex_id b) { return std::min(a, b); };
  const auto look = [found, least]() -> task<vertex_id> {
    co_return co_await all_reduce(first_without_label(found.label), least);
  };
  const vertex_id wrong = co_await from_all_pes(look, where);
  if (wrong != no_vertex) {
    const vertex_id label = co_await read(found.label[wrong]);
    fail(errc::wrong_result, "{}: the label of vertex {} is {}, which is no vertex",
         to_string(where), wrong, label);
  }
  const auto sizes = co_await per_pe<kernel::size_part<vertex_id>>::make();
  const auto count = [found, sizes, most] {
    const kernel::labels_here<vertex_id> mine(found.label.local(), found.label.first_vertex());
    return kernel::all_sizes(found.label.layout()->shape, mine, sizes, most);
  };
  const kernel::component_sizes all = co_await from_all_pes(count, where);
  co_await sizes.destroy();
  component_counts told{all.components, all.single_vertices, all.by_power, {}};
  for (const auto& one : all.largest) told.largest.push_back({one.smallest, one.vertices});
  co_return told;
}

task<std::vector<component>> components::largest(std::size_t most, site where) const {
  const memory::named_call call(k_largest, where);
  component_counts found = co_await sizes(most, where);
  co_return std::move(found.largest);
}

task<> components::write(std::string path, site where) const {
  const vertex_array<vertex_id> labels = label;
  labels.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [labels]() -> graph::described_vertices {
    const auto value = [labels](std::uint64_t row, std::size_t) { return labels.written(row); };
    return {{labels.column("label")}, value};
  };
  co_await graph::write_vertex_file(labels.layout(), std::move(path), describe);
}

task<> components::destroy(site where) const { return label.destroy(where); }

task<std::vector<component>> components::all_largest(std::size_t most, site where) const {
  return all_by_first([found = *this, most, where] { return found.largest(most, where); }, where);
}

task<> components::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> components::all_destroy(site where) const { return label.all_destroy(where); }

}  // namespace atl
