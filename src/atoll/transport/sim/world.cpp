#include "atoll/transport/sim/world.hpp"

#include "atoll/transport/far/partners.hpp"
#include "atoll/transport/sim/chances.hpp"
#include "atoll/transport/sim/cluster.hpp"

namespace atl::transport::sim {

namespace {

std::unique_ptr<timing> timing_of(const settings& options, int pes) {
  if (options.sim_model == sim_model::none) return std::make_unique<chances>(options.sim_seed);
  return std::make_unique<cluster>(options, pes);
}

int far_partners_of(const settings& options, std::span<const int> nodes) {
  if (nodes.empty()) return 1;
  return far::partners_beyond(options.aggregation ? options.routing : routing::direct,
                              nodes.back() + 1, static_cast<int>(options.sim_node_size));
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
      far_partners(far_partners_of(options, nodes)),
      buffers(region.buffer_capacity(), modelled),
      buffers_per_pair_(options.buffers_per_pair),
      pes_of_node_(nodes.empty() ? static_cast<std::size_t>(region.pes()) : options.sim_node_size),
      wires_(static_cast<std::size_t>(region.pes()) * pes_of_node_) {}

channel& world::wire(int source, int destination) {
  const auto pair = static_cast<std::size_t>(source) * pes_of_node_ +
                    static_cast<std::size_t>(destination) % pes_of_node_;
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
