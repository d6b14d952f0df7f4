// Tests PageRank with a remote call (delegate) for each arc. On any number of PEs, the ranks must
// equal the ranks that are computed directly from the definition of PageRank.

#include "kernels/pagerank_job.hpp"
#include "reproduction/pagerank/delegates.hpp"

namespace {

using namespace pagerank_job;

struct given_by_delegates {
  template <class Id>
  static task<pr::workspace<Id>> make(distributed_graph<Id> graph) {
    return reproduction::make_delegates_workspace(graph);
  }
  template <class Id>
  static task<pr::run_outcome> all_run(pr::workspace<Id> on, pr::parameters with) {
    return reproduction::all_run_by_delegates(on, with, nullptr);
  }
};

class ranks_by_delegates : public test::on_pes {};

TEST_P(ranks_by_delegates, are_those_of_the_definition) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes()) {
      for (const auto arcs_are : {orientation::undirected, orientation::out})
        co_await compare_ranks<std::uint32_t, given_by_delegates>(graph, arcs_are);
    }
  });
}

TEST_P(ranks_by_delegates, go_over_arcs_as_these_weigh) {
  ranked_shapes();
  run([]() -> task<> {
    for (const auto& graph : ranked_shapes()) {
      if (graph.edges.size() > 2000) continue;
      for (const auto arcs_are : {orientation::undirected, orientation::out})
        co_await compare_weighted_ranks<std::uint32_t, given_by_delegates>(graph, arcs_are);
    }
  });
}

TEST_P(ranks_by_delegates, are_the_same_with_ids_of_64_bits) {
  const auto graph = dangling();
  run([&]() -> task<> {
    co_await compare_ranks<std::uint64_t, given_by_delegates>(graph, orientation::out);
  });
}

ATOLL_RUN_ON(ranks_by_delegates, 1, 2, 3, 7);

}  // namespace
