#include "atoll/transport/internode/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace atl::transport::internode {

node_map nodes_of(const std::vector<std::uint64_t>& sharing,
                  const std::vector<std::uint64_t>& machines, int rank, std::uint64_t node_size) {
  struct filling {
    int node = -1;
    std::uint64_t ranks = 0;
  };
  node_map result;
  std::map<std::uint64_t, filling> of_group;
  int nodes = 0;
  for (const std::uint64_t group : sharing) {
    filling& present = of_group[group];
    if (present.node < 0 || present.ranks == node_size) present = {nodes++, 0};
    result.node_of.push_back(present.node);
    result.place_of.push_back(static_cast<int>(present.ranks++));
  }
  const int own = result.node_of[static_cast<std::size_t>(rank)];
  for (std::size_t other = 0; other < sharing.size(); ++other)
    if (result.node_of[other] == own) result.mine.push_back(static_cast<int>(other));
  result.machines =
      static_cast<int>(std::set<std::uint64_t>(machines.begin(), machines.end()).size());
  return result;
}

namespace {

constexpr std::uint64_t largest_buffer = std::uint64_t{60} << 10;
constexpr std::uint64_t smallest_buffer = std::uint64_t{2} << 10;
constexpr std::uint64_t memory_of_all_pes = std::uint64_t{4} << 30;
constexpr std::uint64_t fewest_of_a_pe = std::uint64_t{256} << 10;
constexpr std::uint64_t line = 64;
constexpr int fewest_partners_of_a_grid = 64;
constexpr int fewest_nodes_of_a_grid = 128;

/// Returns an upper bound of the number of streams to other nodes that one PE serves. The streams
/// of a node are assigned to its PEs in turn, beginning with any PE. The bound also counts streams
/// to the PE's own node, because the assignment can begin with any PE of the node.
int beyond_by_node(int nodes, int pes_of_node) {
  return (nodes * streams_to_a_node(nodes, pes_of_node) - 1) / pes_of_node + 1;
}

}  // namespace

int streams_to_a_node(int nodes, int pes_of_node) { return (pes_of_node - 1) / (nodes - 1) + 1; }

bool needs_grid(int nodes, int pes_of_node) {
  return nodes >= fewest_nodes_of_a_grid &&
         beyond_by_node(nodes, pes_of_node) >= fewest_partners_of_a_grid;
}

int partners_beyond(routing how, int nodes, int pes_of_node) {
  const int all = (nodes - 1) * pes_of_node;
  if (how == routing::direct || nodes == 1) return all;
  const bool by_grid =
      how == routing::grid || (how == routing::automatic && needs_grid(nodes, pes_of_node));
  const int side = static_cast<int>(std::ceil(std::sqrt(nodes)));
  const int routed = beyond_by_node(by_grid ? 2 * side : nodes, pes_of_node);
  return std::min(all, routed);
}

std::uint64_t buffer_bytes_between_nodes(int pes, int nodes, int pes_of_node) {
  const auto share = std::max(memory_of_all_pes / static_cast<std::uint64_t>(pes), fewest_of_a_pe);
  const int partners = pes_of_node + partners_beyond(routing::automatic, nodes, pes_of_node);
  return std::clamp(share / static_cast<std::uint64_t>(partners), smallest_buffer, largest_buffer) /
         line * line;
}

}  // namespace atl::transport::internode
