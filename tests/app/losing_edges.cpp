// The program `atoll`, in which each PE loses an edge of the file when it builds the graph.

#include "app/driver/graph_input.hpp"

namespace atl::app {
namespace {

/// The last one, which becomes a self loop.
class edges_but_one {
 public:
  explicit edges_but_one(const input_edges& all) : all_(all) {}

  std::uint64_t size() const { return all_.size(); }
  edge operator()(std::uint64_t i) const {
    const edge found = all_(i);
    return i + 1 == size() ? edge{found.from, found.from} : found;
  }
  void used_until(std::uint64_t i) const { all_.used_until(i); }

 private:
  input_edges all_;
};

}  // namespace

/// Takes the place of the function in app/driver/graph_build.cpp.
template <>
task<distributed_graph<std::uint32_t>>
build_graph(const graph_input& input, const graph_flags& flags, orientation arcs_are, bool last,
            trial_series& /*trials*/, graph_findings& findings, row_order order) {
  const auto edges = [all = input.edges_of_pe(flags, last)] { return edges_but_one(all()); };
  const auto graph =
      co_await make_graph<std::uint32_t>(input.size, arcs_are, edges, hub_rows::split, order);
  findings.build_seconds = 0;
  co_return graph;
}

}  // namespace atl::app
