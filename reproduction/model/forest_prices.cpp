#include "reproduction/model/forest_prices.hpp"

#include "atoll/graph/generator.hpp"
#include "atoll/graph/web.hpp"
#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/mnd.hpp"
#include "reproduction/mst/rounds.hpp"
#include "reproduction/mst/two_sided.hpp"

namespace atl::reproduction::prices {
namespace {

namespace mst = kernels::mst;

using word = std::uint32_t;

constexpr generator_parameters web_graph{.scale = 17, .kind = graph_kind::web};
constexpr int repeats = 3;

double time_now() { return static_cast<double>(now()); }

huge_vector<mst::raw_edge<word>> edges_of_web() {
  const web_generator web(web_graph);
  huge_vector<mst::raw_edge<word>> edges;
  for (std::uint64_t i = 0; i < web_graph.edges(); ++i) {
    const edge each = web(i);
    const word weight = hashed_weight(each.from, each.to, web_graph.seed);
    edges.push_back({static_cast<word>(std::min(each.from, each.to)),
                     static_cast<word>(std::max(each.from, each.to)), weight});
  }
  return edges;
}

/// Calls `work(part)` several times, each time with a new copy of `whole`. Returns the time of the
/// fastest call, in seconds.
template <class Work>
double time_of(const mst::part<word>& whole, Work work) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    mst::part<word> copy = whole;
    const double begin = time_now();
    work(copy);
    shortest = std::min(shortest, time_now() - begin);
  }
  return shortest;
}

/// Measures the time of the algorithm's rounds on a part without edges. Returns nanoseconds per
/// component.
double nanoseconds_of_a_component(const mst::part<word>& whole) {
  mst::part<word> bare = whole;
  bare.edges.clear();
  const double all =
      time_of(bare, [](auto& part) { contraction_by_rounds<word>(part).by_rounds(0); });
  return all / static_cast<double>(bare.names.size());
}

/// Measures the time of all rounds, minus the time for the components. Returns nanoseconds per
/// scanned edge.
double nanoseconds_of_a_scan(const mst::part<word>& whole, double of_a_component) {
  mst::work_done done;
  const double all = time_of(whole, [&](auto& part) {
    contraction_by_rounds<word> joining(part);
    joining.by_rounds(0);
    done = joining.work();
  });
  const double others = static_cast<double>(done.components_visited) * of_a_component;
  return std::max(0.0, all - others) / static_cast<double>(done.edges_scanned);
}

double nanoseconds_of_a_pass(const mst::part<word>& whole) {
  std::uint64_t moved = 0;
  const double all = time_of(whole, [&](auto& part) {
    moved = mst::sort_by_key(part.edges, [](const auto& each) { return each.weight; });
  });
  return all / static_cast<double>(moved);
}

/// Measures the time to rename components. Returns nanoseconds per edge. Four components at a time
/// get the same name, as if a round of the algorithm had joined them.
double nanoseconds_of_a_renaming(const mst::part<word>& whole) {
  huge_vector<word> names = whole.names;
  for (word& name : names) name -= name % 4;
  const double all = time_of(
      whole, [&](auto& part) { mst::rename(part, names, huge_vector<std::int32_t>(part.owners)); });
  return all / static_cast<double>(whole.edges.size());
}

}  // namespace

task<steps_of_a_forest> measure_forest() {
  const auto edges = edges_of_web();
  two_sided_exchange alone(1);
  mst::part<word> whole;
  steps_of_a_forest found;
  // Only the second run counts, because it reuses memory and thus causes no page faults.
  for (int run = 0; run < 2; ++run) {
    whole = {};
    const double begin = time_now();
    mst::part_builder<word, two_sided_exchange> builder(whole, alone);
    co_await builder.all_build(edges, web_graph.vertices());
    found.edge_built = (time_now() - begin) / static_cast<double>(edges.size());
  }
  const auto count = static_cast<double>(whole.edges.size());
  found.component_visited = nanoseconds_of_a_component(whole);
  found.edge_scanned = nanoseconds_of_a_scan(whole, found.component_visited);
  found.edge_relabelled = nanoseconds_of_a_renaming(whole);
  found.edge_merged = time_of(whole, [](auto& part) { mst::remove_multiple_edges(part); }) / count;
  found.edge_sorted = nanoseconds_of_a_pass(whole);
  co_return found;
}

}  // namespace atl::reproduction::prices
