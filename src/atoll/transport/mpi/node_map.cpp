#include "atoll/transport/mpi/node_map.hpp"

#include <map>
#include <set>
#include <utility>

namespace atl::transport::mpi {

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

}  // namespace atl::transport::mpi
