#include "atoll/transport/sim/world.hpp"

#include "atoll/transport/sim/chances.hpp"
#include "atoll/transport/sim/cluster.hpp"

namespace atl::transport::sim {

namespace {

std::unique_ptr<timing> timing_of(const settings& options, int pes) {
  if (options.sim_model == sim_model::none) return std::make_unique<chances>(options.sim_seed);
  return std::make_unique<cluster>(options, pes);
}

std::vector<int> nodes_of(int pes, std::uint64_t node_size) {
  std::vector<int> nodes;
  if (static_cast<std::uint64_t>(pes) <= node_size) return nodes;
  for (int pe = 0; pe < pes; ++pe) nodes.push_back(pe / static_cast<int>(node_size));
  return nodes;
}

}  // namespace

world::world(shm::region& region, const settings& options)
    : job(region),
      seed(options.sim_seed),
      kill(kill_plan::parse(options.sim_kill, region.pes())),
      schedule(region.pes()),
      modelled(options.sim_model != sim_model::none),
      nodes(nodes_of(region.pes(), options.sim_node_size)),
      time(timing_of(options, region.pes())),
      vigilance(far::vigilance_of(options.idle_yields, time->own_cores())),
      far_buffers_of_pair(options.buffers_per_pair != 0 ? options.buffers_per_pair
                                                        : time->far_buffers_of_pair()),
      buffers(region.buffer_capacity(), modelled),
      buffers_per_pair_(options.buffers_per_pair),
      wires_(static_cast<std::size_t>(region.pes()) * static_cast<std::size_t>(region.pes())) {}

channel& world::wire(int source, int destination) {
  const auto pair = static_cast<std::size_t>(source) * static_cast<std::size_t>(job.pes()) +
                    static_cast<std::size_t>(destination);
  auto& found = wires_[pair];
  if (found == nullptr) {
    const std::size_t most = places_of_pair(source == destination);
    found = std::make_unique<channel>(modelled ? 1 : most, most);
  }
  return *found;
}

std::size_t world::places_of_pair(bool own) {
  return buffers_per_pair_ != 0 ? buffers_per_pair_ : time->buffers_of_pair(own);
}

}  // namespace atl::transport::sim
