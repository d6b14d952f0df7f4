#include "atoll/message/routes.hpp"

#include <algorithm>
#include <cmath>

namespace atl::message {
namespace {

constexpr std::size_t k_nodes_of_a_grid = 128;

std::size_t index(int of) { return static_cast<std::size_t>(of); }

int nodes_in(std::span<const int> node_of) {
  return node_of.empty() ? 1 : *std::ranges::max_element(node_of) + 1;
}

/// The PEs of each node, and how the nodes stand in rows.
class geometry {
 public:
  geometry(int self, std::span<const int> node_of)
      : node_of_(node_of),
        members_(index(nodes_in(node_of))),
        columns_(static_cast<int>(std::ceil(std::sqrt(members_.size())))) {
    for (int pe = 0; pe < static_cast<int>(node_of.size()); ++pe)
      members_[index(node_of[index(pe)])].push_back(pe);
    const auto& mates = members_[index(node_of[index(self)])];
    own_node_ = node_of[index(self)];
    place_ = static_cast<std::size_t>(std::ranges::find(mates, self) - mates.begin());
  }

  // The streams to the other nodes are dealt round-robin to the PEs of this node. A PE without a
  // stream to the target hands over to a PE that has one.
  int by_node(int destination) const {
    const int target = node_of_[index(destination)];
    if (target == own_node_) return destination;
    const auto& mates = members_[index(own_node_)];
    const std::size_t streams = streams_to_a_node(mates.size());
    const std::size_t first = index(target) * streams % mates.size();
    const std::size_t stream = (place_ + mates.size() - first) % mates.size();
    if (stream >= streams) return mates[(first + place_ % streams) % mates.size()];
    const auto& there = members_[index(target)];
    return there[(index(own_node_) * streams + stream) % there.size()];
  }

  int by_grid(int destination) const {
    const int target = node_of_[index(destination)];
    const int corner = own_node_ / columns_ * columns_ + target % columns_;
    if (corner == own_node_) return at_node(destination, target);
    if (corner < static_cast<int>(members_.size())) return at_node(destination, corner);
    // The last row may be short. Then down the own column, to the row of the target.
    return at_node(destination, target / columns_ * columns_ + own_node_ % columns_);
  }

 private:
  /// So many that each PE of a node has one stream at least.
  std::size_t streams_to_a_node(std::size_t pes_of_node) const {
    const std::size_t others = members_.size() - 1;
    return (pes_of_node + others - 1) / others;
  }

  /// The PE that has the place in `node` which `self` has in its own; in its own the destination.
  int at_node(int destination, int node) const {
    if (node == own_node_) return destination;
    const auto& there = members_[index(node)];
    return there[place_ % there.size()];
  }

  std::span<const int> node_of_;
  std::vector<std::vector<int>> members_;
  int columns_;
  int own_node_ = 0;
  std::size_t place_ = 0;
};

}  // namespace

routing chosen_routing(routing asked, std::span<const int> node_of) {
  const auto nodes = index(nodes_in(node_of));
  if (nodes == 1) return routing::direct;
  if (asked != routing::automatic) return asked;
  return nodes >= k_nodes_of_a_grid ? routing::grid : routing::node;
}

std::vector<int> hops_from(int self, std::span<const int> node_of, routing how) {
  const geometry around(self, node_of);
  std::vector<int> hops;
  for (int pe = 0; pe < static_cast<int>(node_of.size()); ++pe) {
    hops.push_back(how == routing::node   ? around.by_node(pe)
                   : how == routing::grid ? around.by_grid(pe)
                                          : pe);
  }
  return hops;
}

std::vector<int> nodes_of(std::span<const int> known, int pes, std::uint64_t node_size) {
  std::vector<int> nodes(known.begin(), known.end());
  const int pes_of_node = node_size == 0 ? pes : static_cast<int>(node_size);
  for (int pe = static_cast<int>(nodes.size()); pe < pes; ++pe) nodes.push_back(pe / pes_of_node);
  return nodes;
}

std::vector<int> destinations_behind(std::span<const int> hops) {
  std::vector<int> count(hops.size());
  for (const int hop : hops) ++count[index(hop)];
  return count;
}

}  // namespace atl::message
