// Builds the graph of the input. Compiled once for ids of 32 and of 64 bits.

#include "app/driver/graph_input.hpp"

namespace atl::app {

template <class Id>
task<distributed_graph<Id>> build_graph(const graph_input& input, const graph_flags& flags,
                                        orientation arcs_are, bool last, trial_series& trials,
                                        graph_findings& findings, row_order order) {
  const auto start = now();
  trials.show("building the graph");
  const auto graph = co_await make_graph<Id>(input.size, arcs_are, input.edges_of_pe(flags, last),
                                             hub_rows::split, order);
  findings.build_seconds = seconds_since(start);
  co_return graph;
}

template <class Id>
task<input_differences> compare_with_edges(distributed_graph<Id> graph, const graph_input& input,
                                           const graph_flags& flags) {
  return compare_with_input(graph, input.edges_of_pe(flags));
}

#define ATOLL_GRAPH_OF(Id)                                                                         \
  template task<distributed_graph<Id>> build_graph(const graph_input&, const graph_flags&,         \
                                                   orientation, bool, trial_series&,               \
                                                   graph_findings&, row_order);                    \
  template task<input_differences> compare_with_edges(distributed_graph<Id>, const graph_input&,   \
                                                      const graph_flags&);
ATOLL_GRAPH_OF(std::uint32_t)
ATOLL_GRAPH_OF(std::uint64_t)

}  // namespace atl::app
