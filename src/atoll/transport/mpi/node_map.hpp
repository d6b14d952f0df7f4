#pragma once
// Which ranks share memory: those of a host that can, or so many of them (setting node-size).

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::transport::mpi {

struct node_map {
  std::vector<int> node_of;   ///< by rank
  std::vector<int> place_of;  ///< by rank: its number on its node
  std::vector<int> mine;      ///< the ranks of this rank's node, ascending
  int machines = 1;

  int count() const { return 1 + *std::ranges::max_element(node_of); }
  int leader() const { return mine.front(); }
  bool is_here(int rank) const { return node_of[index(rank)] == node_of[index(mine.front())]; }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
};

/// `sharing` is equal for ranks that can share memory, `machines` for those on one machine;
/// `node_size` 0: all ranks that can are a node.
node_map nodes_of(const std::vector<std::uint64_t>& sharing,
                  const std::vector<std::uint64_t>& machines, int rank, std::uint64_t node_size);

}  // namespace atl::transport::mpi
