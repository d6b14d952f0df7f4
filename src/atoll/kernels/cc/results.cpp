// Components as programs ask for them.

#include "atoll/kernels/cc/run.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/sync/by_first_pe.hpp"

namespace atl {
namespace {

namespace kernel = kernels::cc;

/// How many vertices of this PE are their own label.
std::uint64_t roots_here(const vertex_array<vertex_id>& labels) {
  std::uint64_t roots = 0;
  labels.for_each_local(
      [&](vertex_id vertex, vertex_id label) { roots += vertex == label ? 1 : 0; });
  return roots;
}

std::uint64_t labels_of_no_vertex(const vertex_array<vertex_id>& labels) {
  const auto is_none = [&](vertex_id label) { return label >= labels.size(); };
  return static_cast<std::uint64_t>(std::ranges::count_if(labels.local(), is_none));
}

template <class Id>
task<components> label(distributed_graph<Id> rows, components found) {
  const auto on = co_await kernel::workspace<Id>::make(rows);
  const auto run = [on, found]() -> task<std::uint64_t> {
    co_await kernel::all_run(on, false);
    const auto& labels = on.forests->labels;
    std::copy(labels.begin(), labels.end(), found.label.local().begin());
    co_return co_await all_reduce(roots_here(found.label), graph::k_sum);
  };
  found.count = co_await from_all_pes(run);
  co_await on.destroy();
  co_return found;
}

/// What is wrong with the labels of all PEs.
struct differences {
  std::uint64_t labels = 0;     ///< vertices with another label than expected
  vertex_id first = no_vertex;  ///< of them
  std::uint64_t count = 0;      ///< components by the edges of the input
};

/// Every PE calls it.
task<differences> all_compare(const components& found, per_pe<stored_edges> stored,
                              const partition& shape) {
  const auto expected = co_await kernel::all_expected_labels<vertex_id>(shape, stored.local());
  differences mine;
  const auto labels = found.label.local();
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const vertex_id vertex = found.label.first_vertex() + row;
    mine.count += expected[row] == vertex ? 1 : 0;
    if (labels[row] == expected[row]) continue;
    ++mine.labels;
    mine.first = std::min(mine.first, vertex);
  }
  const auto sum = [](const differences& a, const differences& b) {
    return differences{a.labels + b.labels, std::min(a.first, b.first), a.count + b.count};
  };
  co_return co_await all_reduce(mine, sum);
}

}  // namespace

task<components> connected_components(global_graph graph) {
  components found;
  found.label = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices);
  co_return co_await graph.on_ids([&](auto rows) { return label(rows, found); });
}

task<components> all_connected_components(global_graph graph) {
  const auto by_one = [graph] { return connected_components(graph); };
  return all_by_first(by_one);
}

task<> verify(global_graph graph, components found) {
  graph.check_result(found.label);
  const auto compare = [stored = graph.kept_edges("verify"), layout = graph.layout(), found] {
    return all_compare(found, stored, layout->shape);
  };
  const differences wrong = co_await from_all_pes(compare);
  if (wrong.labels != 0)
    fail(errc::wrong_result,
         "{} of {} vertices, the first of them {}, have another label than the smallest vertex of "
         "their component",
         wrong.labels, graph.vertices(), wrong.first);
  if (wrong.count != found.count)
    fail(errc::wrong_result, "there are {} components, and not {}", wrong.count, found.count);
}

task<std::vector<component>> components::largest(std::size_t most) const {
  const components found = *this;
  const auto sizes = co_await per_pe<kernel::size_part<vertex_id>>::make();
  const auto count = [found, sizes, most]() -> task<std::optional<kernel::component_sizes>> {
    const std::uint64_t wrong = co_await all_reduce(labels_of_no_vertex(found.label), graph::k_sum);
    if (wrong != 0) co_return std::nullopt;
    const kernel::labels_here<vertex_id> mine(found.label.local(), found.label.first_vertex());
    co_return co_await kernel::all_sizes(found.label.layout()->shape, mine, sizes, most);
  };
  const auto all = co_await from_all_pes(count);
  co_await sizes.destroy();
  if (!all) fail(errc::wrong_result, "labels of the components are of no vertex");
  std::vector<component> largest;
  for (const auto& one : all->largest) largest.push_back({one.smallest, one.vertices});
  co_return largest;
}

task<> components::write(std::string path) const {
  const auto describe = [labels = label]() -> graph::described_vertices {
    const auto value = [labels](std::uint64_t row, std::size_t) { return labels.written(row); };
    return {{labels.column("label")}, value};
  };
  return graph::write_vertex_file(label.layout(), std::move(path), describe);
}

task<> components::destroy() const { return label.destroy(); }

}  // namespace atl
