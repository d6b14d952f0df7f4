#include "atoll/transport/mpi/node_map.hpp"

#include <map>
#include <utility>

namespace atl::transport::mpi {

node_map nodes_of(const std::vector<std::uint64_t>& hosts, int rank, std::uint64_t node_size) {
  struct filling {
    int node = -1;
    std::uint64_t ranks = 0;
  };
  node_map result;
  std::map<std::uint64_t, filling> of_host;
  int nodes = 0;
  for (const std::uint64_t host : hosts) {
    filling& present = of_host[host];
    if (present.node < 0 || present.ranks == node_size) present = {nodes++, 0};
    result.node_of.push_back(present.node);
    result.place_of.push_back(static_cast<int>(present.ranks++));
  }
  const int own = result.node_of[static_cast<std::size_t>(rank)];
  for (std::size_t other = 0; other < hosts.size(); ++other)
    if (result.node_of[other] == own) result.mine.push_back(static_cast<int>(other));
  result.machines = static_cast<int>(of_host.size());
  return result;
}

}  // namespace atl::transport::mpi
