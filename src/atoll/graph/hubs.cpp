#include "atoll/graph/build.hpp"

namespace atl::graph {
namespace {

struct arcs_of_vertex {
  std::uint64_t vertex;
  std::uint64_t arcs;
};

}  // namespace

// A PE adds up the vertices that are its own by number: all that all PEs have counted would be too
// much for each of many, and most of it is of vertices with few arcs.
task<std::vector<std::uint64_t>>
all_vertices_above(std::uint64_t threshold,
                   const std::unordered_map<std::uint64_t, std::uint64_t>& here) {
  std::vector<std::vector<arcs_of_vertex>> by_adder(static_cast<std::size_t>(pes()));
  for (const auto& [vertex, arcs] : here) {
    by_adder[vertex % by_adder.size()].push_back({vertex, arcs});
  }
  std::unordered_map<std::uint64_t, std::uint64_t> sums;
  for (const auto& of_pe : co_await all_to_all(by_adder)) {
    for (const auto& [vertex, arcs] : of_pe) sums[vertex] += arcs;
  }
  std::vector<std::uint64_t> found;
  for (const auto& [vertex, arcs] : sums) {
    if (arcs >= threshold) found.push_back(vertex);
  }
  std::vector<std::uint64_t> above;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(found))) {
    above.insert(above.end(), of_pe.begin(), of_pe.end());
  }
  std::ranges::sort(above);
  co_return above;
}

}  // namespace atl::graph
