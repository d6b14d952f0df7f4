#include "atoll/transport/sim/cluster.hpp"

#include "atoll/base/pe.hpp"

#include <utility>

namespace atl::transport::sim {

cluster::cluster(const settings& options, int pes)
    : parameters_(model::of(options)),
      network_(parameters_, pes, options.sim_node_size),
      processors_(static_cast<std::size_t>(pes),
                  {std::vector<std::uint64_t>(parameters_.prices.size()), 0}) {}

std::optional<nanoseconds> cluster::arrival(int from, int to, std::uint32_t bytes,
                                            nanoseconds time) {
  if (network_.of_one_node(from, to)) return time + parameters_.local_latency / per_nanosecond;
  network_.post(from, to, bytes, time);
  return std::nullopt;
}

nanoseconds cluster::return_of_room(int from, int to) {
  const bool near = network_.of_one_node(from, to);
  return (near ? parameters_.local_latency : parameters_.latency) / per_nanosecond;
}

/// As many as shared memory has for few PEs.
std::size_t cluster::buffers_of_pair() { return 16; }

nanoseconds cluster::take(int pe, picoseconds more) {
  processor& of = processors_[static_cast<std::size_t>(pe)];
  const picoseconds whole = of.owed + more + price_of_new(of);
  of.owed = whole % per_nanosecond;
  return whole / per_nanosecond;
}

/// Before the PE is assembled, and after it, nothing is counted.
picoseconds cluster::price_of_new(processor& of) const {
  if (current_pe == nullptr) return 0;
  const observe::counters& counted = *current_pe->counters;
  picoseconds sum = 0;
  for (std::size_t i = 0; i < parameters_.prices.size(); ++i) {
    const auto [counter, each] = parameters_.prices[i];
    const std::uint64_t present = counted.*counter;
    const std::uint64_t before = std::exchange(of.paid[i], present);
    sum += each * static_cast<picoseconds>(present - before);
  }
  return sum;
}

}  // namespace atl::transport::sim
