#include "atoll/transport/sim/cluster.hpp"

#include "atoll/transport/shm/region.hpp"

#include <algorithm>

namespace atl::transport::sim {
namespace {

int pes_of_a_node(const settings& options, int pes) {
  return static_cast<int>(std::min(options.sim_node_size, static_cast<std::uint64_t>(pes)));
}

}  // namespace

cluster::cluster(const settings& options, int pes)
    : parameters_(model::of(options)),
      buffers_of_pair_(shm::slots_of_pair(pes_of_a_node(options, pes), options, false)),
      own_buffers_(shm::slots_of_pair(pes_of_a_node(options, pes), options, true)),
      network_(parameters_, pes, options.sim_node_size),
      processors_(parameters_, pes, options.sim_node_size) {}

}  // namespace atl::transport::sim
