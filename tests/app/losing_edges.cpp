// A variant of the program `atoll`. Each PE of this variant loses an edge of the file when it
// builds the graph.

#include "atoll/graph.hpp"

#include <utility>
#include <vector>

namespace atl::app {
namespace {

/// Returns the edges, with a self loop in place of the last edge.
packed_edges all_but_one(const packed_edges& all) {
  std::vector<edge> edges = all.all();
  if (!edges.empty()) edges.back().to = edges.back().from;
  packed_edges fewer;
  fewer.add(edges);
  fewer.settle();
  return fewer;
}

}  // namespace

// The linker option --wrap replaces `graph_builder::build` by the function with the name
// __wrap_..., and gives the original function the name __real_....
task<global_graph> usual_build(graph_builder* self) asm("__real__ZN3atl13graph_builder5buildEv");
task<global_graph> other_build(graph_builder* self) asm("__wrap__ZN3atl13graph_builder5buildEv");

namespace {

/// Builds the graph without one edge of each PE, but leaves all edges of the input stored for the
/// verification.
task<global_graph> build_of_fewer(graph_builder* self) {
  const auto stored = self->stored();
  const auto input = co_await per_pe<packed_edges>::make();
  co_await on_all_pes([stored, input] {
    packed_edges fewer = all_but_one(stored->edges);
    input.local() = std::exchange(stored->edges, std::move(fewer));
  });
  const global_graph graph = co_await usual_build(self);
  co_await on_all_pes([stored, input] { stored->edges = std::move(input.local()); });
  co_await input.destroy();
  co_return graph;
}

}  // namespace

task<global_graph> other_build(graph_builder* self) { return build_of_fewer(self); }

}  // namespace atl::app
