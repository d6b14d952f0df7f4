#pragma once
// Times runs of the kernel for connected components. A run labels the vertices of a graph that is
// already built. The file also counts the components and their vertices.

#include "atoll/collectives.hpp"
#include "atoll/kernels/cc/afforest.hpp"
#include "atoll/kernels/cc/forest.hpp"
#include "atoll/kernels/cc/validation.hpp"

#include <bit>
#include <unordered_map>

namespace atl::kernels::cc {

// The number and sizes of components.

struct component {
  std::uint64_t smallest = 0;  ///< the smallest vertex of the component
  std::uint64_t vertices = 0;

  /// Places larger components before smaller components.
  friend bool operator<(const component& a, const component& b) {
    return a.vertices != b.vertices ? a.vertices > b.vertices : a.smallest < b.smallest;
  }
};

/// Number and sizes of components. Every PE has the same values.
struct component_sizes {
  std::uint64_t components = 0;
  std::uint64_t single_vertices = 0;  ///< number of components of one vertex
  /// Element k is the number of components with 2^k to 2^(k+1) - 1 vertices. The last element
  /// includes the largest component.
  std::vector<std::uint64_t> by_power;
  std::vector<component> largest;  ///< the largest components, in descending order of size
};

/// The labels of the vertices that one PE owns.
template <class Id>
struct labels_here {
  std::span<const Id> of_row;
  std::uint64_t first_vertex;

  explicit labels_here(const forest_part<Id>& forest)
      : of_row(forest.labels), first_vertex(forest.first_vertex()) {}
  labels_here(std::span<const Id> labels, std::uint64_t first)
      : of_row(labels), first_vertex(first) {}

  bool owns(Id vertex) const { return vertex - first_vertex < of_row.size(); }
};

/// The sizes of components, by row. A PE has the size of a component if the PE owns the component's
/// smallest vertex. The element for the smallest vertex of a component is the size of the
/// component, and other elements are 0.
template <class Id>
using size_part = huge_vector<Id>;

/// Counts the vertices of this PE by component, and sends the numbers to the owners of the
/// components' smallest vertices.
template <class Id>
task<> all_count_vertices(const partition& shape, labels_here<Id> mine,
                          per_pe<size_part<Id>> sizes) {
  sizes->assign(mine.of_row.size(), 0);
  co_await all_barrier();
  const auto count_all = [&]() -> task<> {
    std::unordered_map<Id, Id> elsewhere;
    const auto count = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row) {
        const Id label = mine.of_row[row];
        if (mine.owns(label))
          ++sizes.local()[label - mine.first_vertex];
        else
          ++elsewhere[label];
      }
    };
    co_await graph::in_stretches(0, mine.of_row.size(), count);
    for (const auto& [label, vertices] : elsewhere) {
      const int owner = shape.owner(label);
      const auto row = static_cast<Id>(label - shape.begin(owner));
      async_call(owner, [sizes, row, vertices] { sizes.local()[row] += vertices; });
      co_await room();
    }
  };
  co_await finish(count_all);
  co_await all_barrier();
}

/// Returns the number and the sizes of components. A component is counted if this PE owns its
/// smallest vertex. `largest` in the result has at most `most` components.
template <class Id>
component_sizes sizes_here(const size_part<Id>& sizes, std::uint64_t first_vertex,
                           std::size_t most) {
  component_sizes mine;
  mine.by_power.resize(std::numeric_limits<std::uint64_t>::digits);
  auto& largest = mine.largest;
  for (std::uint64_t row = 0; row < sizes.size(); ++row) {
    if (sizes[row] == 0) continue;
    ++mine.components;
    mine.single_vertices += sizes[row] == 1 ? 1 : 0;
    ++mine.by_power[static_cast<std::size_t>(std::bit_width(sizes[row])) - 1];
    const component found{first_vertex + row, sizes[row]};
    if (largest.size() == most && (most == 0 || !(found < largest.back()))) continue;
    if (largest.size() == most) largest.pop_back();
    largest.insert(std::ranges::upper_bound(largest, found, std::less<>()), found);
  }
  return mine;
}

/// Returns the sizes of all components, and the `most` largest components. Every PE calls this
/// function after labels were found.
template <class Id>
task<component_sizes> all_sizes(const partition& shape, labels_here<Id> mine,
                                per_pe<size_part<Id>> sizes, std::size_t most) {
  co_await all_count_vertices(shape, mine, sizes);
  component_sizes all = sizes_here(sizes.local(), mine.first_vertex, most);
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  all.components = co_await all_reduce(all.components, sum);
  all.single_vertices = co_await all_reduce(all.single_vertices, sum);
  all.by_power = co_await all_reduce(std::move(all.by_power), sum);
  while (!all.by_power.empty() && all.by_power.back() == 0) all.by_power.pop_back();
  std::vector<component> largest;
  for (const auto& of_pe : co_await all_gather(std::span<const component>(all.largest)))
    largest.insert(largest.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(largest, std::less<>());
  largest.resize(std::min(largest.size(), most));
  all.largest = std::move(largest);
  co_return all;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in cc.cpp.
#define ATOLL_CC_SIZES(kind, Id)                                                                   \
  kind template task<component_sizes> all_sizes(const partition&, labels_here<Id>,                 \
                                                per_pe<size_part<Id>>, std::size_t);
ATOLL_CC_SIZES(extern, std::uint32_t)
ATOLL_CC_SIZES(extern, std::uint64_t)

/// The graph and the data of runs on every PE, for vertex numbers of type Id.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<forest_part<Id>> forests;
  per_pe<size_part<Id>> sizes;
  per_pe<expected_labels<Id>> expected;  ///< the labels that all_expect has computed

  static task<workspace> make(distributed_graph<Id> graph);
  task<> destroy() const;
};

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  workspace made;
  made.graph = graph;
  made.forests = co_await per_pe<forest_part<Id>>::make();
  made.sizes = co_await per_pe<size_part<Id>>::make();
  made.expected = co_await per_pe<expected_labels<Id>>::make();
  co_return made;
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await forests.destroy();
  co_await sizes.destroy();
  co_await expected.destroy();
}

/// Computes the expected labels from the edges of the input. Every PE calls this function before
/// runs are verified.
template <class Id, edge_source Edges>
task<> all_expect(workspace<Id> on, const Edges& edges) {
  on.expected.local() = co_await all_expected_labels<Id>(on.graph->shape, edges);
}

/// The results of one run, the same on all PEs.
struct run_outcome {
  double seconds = 0;
  wrong_labels found;  ///< filled if the run was verified
};

/// Labels all vertices by `label()`, a coroutine. The time begins when all PEs are ready to clear
/// the last run, and ends when all PEs have finished. If `verify` is true, the labels are compared
/// with the expected labels. Every PE calls this function.
template <class Id, class Label>
task<run_outcome> all_time(workspace<Id> on, const Label& label, bool verify) {
  forest_part<Id>& forest = on.forests.local();
  if (!forest.prepared) forest.prepare(on.graph.local());
  co_await all_barrier();
  const auto begin = now();
  forest.start();
  co_await label();
  const double seconds = seconds_since(begin);
  run_outcome all;
  all.seconds = co_await all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
  if (verify) all.found = co_await all_compare(forest, on.expected.local());
  co_return all;
}

/// Labels all vertices by the algorithm of the kernel. `all_time` measures the time. Every PE calls
/// this function.
template <class Id>
task<run_outcome> all_run(workspace<Id> on, bool verify) {
  const auto label = [&on] { return all_label(on.graph, on.forests); };
  co_return co_await all_time(on, label, verify);
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in cc.cpp.
#define ATOLL_CC_RUN(kind, Id)                                                                     \
  kind template struct workspace<Id>;                                                              \
  kind template task<run_outcome> all_run(workspace<Id>, bool);
ATOLL_CC_RUN(extern, std::uint32_t)
ATOLL_CC_RUN(extern, std::uint64_t)

}  // namespace atl::kernels::cc
