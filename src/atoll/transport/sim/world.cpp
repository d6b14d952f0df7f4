#include "atoll/transport/sim/world.hpp"

namespace atoll::transport::sim {

world::world(shm::region& region, const settings& options)
    : job(region),
      kill(kill_plan::parse(options.sim_kill, region.pes())),
      turns(region.pes()),
      chance(options.sim_seed),
      buffers(region.buffer_capacity()),
      buffers_per_pair_(options.buffers_per_pair),
      wires_(static_cast<std::size_t>(region.pes()) * static_cast<std::size_t>(region.pes())) {}

channel& world::wire(int source, int destination) {
  const auto pair = static_cast<std::size_t>(source) * static_cast<std::size_t>(job.pes()) +
                    static_cast<std::size_t>(destination);
  auto& found = wires_[pair];
  if (found == nullptr) found = std::make_unique<channel>(places_of_pair());
  return *found;
}

std::size_t world::places_of_pair() {
  return buffers_per_pair_ != 0 ? buffers_per_pair_ : chance.buffers_of_pair();
}

}  // namespace atoll::transport::sim
