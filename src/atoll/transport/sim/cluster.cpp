#include "atoll/transport/sim/cluster.hpp"

#include "atoll/transport/far/remote_wire.hpp"
#include "atoll/transport/shm/region.hpp"

#include <algorithm>

namespace atl::transport::sim {
namespace {

/// As a host sees it, which knows of no other (job/mpi_job.cpp).
bool each_has_a_core(const model& parameters, const settings& options, int pes) {
  const auto on_a_node = std::min(options.sim_node_size, static_cast<std::uint64_t>(pes));
  return parameters.shared_cores == 0 ||
         on_a_node <= static_cast<std::uint64_t>(parameters.shared_cores);
}

std::size_t buffers_within_a_node(const settings& options, int pes, bool own) {
  if (static_cast<std::uint64_t>(pes) <= options.sim_node_size)
    return shm::slots_of_pair(pes, options, own);
  settings of_node = options;
  of_node.buffers_per_pair = far::near_buffers_per_pair;
  return shm::slots_of_pair(static_cast<int>(options.sim_node_size), of_node, own);
}

}  // namespace

cluster::cluster(const settings& options, int pes)
    : parameters_(model::of(options)),
      own_cores_(each_has_a_core(parameters_, options, pes)),
      buffers_of_pair_(buffers_within_a_node(options, pes, false)),
      own_buffers_(buffers_within_a_node(options, pes, true)),
      network_(parameters_, pes, options.sim_node_size),
      processors_(parameters_, pes, options.sim_node_size),
      cores_(static_cast<std::size_t>(std::min<std::int64_t>(parameters_.shared_cores, pes)), pes,
             parameters_.tick / per_nanosecond, parameters_.core_switch / per_nanosecond) {}

}  // namespace atl::transport::sim
