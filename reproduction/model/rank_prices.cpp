#include "reproduction/model/rank_prices.hpp"

#include "atoll/graph/make_graph.hpp"
#include "atoll/kernels/pagerank/iterate.hpp"

#include <limits>

namespace atl::reproduction::prices {
namespace {

namespace pagerank = kernels::pagerank;

using word = std::uint32_t;

constexpr generator_parameters kronecker_graph{.scale = 18};
constexpr int iterations_timed = 5;

/// Measures several times, and keeps the shortest time in nanoseconds.
class shortest_time {
 public:
  void begin() { begin_ = now(); }
  void end() { shortest_ = std::min(shortest_, now() - begin_); }
  double of_each(std::uint64_t count) const { return shortest_ / static_cast<double>(count); }

 private:
  static double now() { return static_cast<double>(atl::now()); }

  double begin_ = 0;
  double shortest_ = std::numeric_limits<double>::infinity();
};

/// Runs iterations of the PageRank kernel, and times each step separately.
task<steps_of_a_rank> time_iterations(pagerank::workspace<word> on) {
  auto& ranks = on.ranks.local();
  const auto& block = on.plans->to.front();
  const auto& slots = on.plans->from.front().slots;
  double* const sums = on.places.made.local().data();
  shortest_time summed, combined, updated;
  co_await ranks.all_start();
  for (int i = 0; i < iterations_timed; ++i) {
    summed.begin();
    co_await pagerank::add_up_block(block, ranks.contributions.data(), sums);
    summed.end();
    combined.begin();
    co_await pagerank::receive(std::span<const word>(slots), sums, ranks.received);
    combined.end();
    updated.begin();
    co_await ranks.all_update({});
    updated.end();
  }
  co_return steps_of_a_rank{summed.of_each(on.graph->arcs()), combined.of_each(slots.size()),
                            updated.of_each(on.graph->vertices)};
}

}  // namespace

task<steps_of_a_rank> measure_ranks() {
  const graph_size size{kronecker_graph.vertices(), kronecker_graph.edges()};
  const auto graph = co_await make_graph<word>(size, orientation::undirected,
                                               random_edges<kronecker_generator>(kronecker_graph),
                                               hub_rows::split, row_order::by_target);
  const auto on = co_await pagerank::workspace<word>::make(graph);
  const auto found = co_await time_iterations(on);
  co_await on.destroy();
  co_await graph.destroy();
  co_return found;
}

}  // namespace atl::reproduction::prices
