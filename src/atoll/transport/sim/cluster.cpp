#include "atoll/transport/sim/cluster.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/transport/shm/region.hpp"

#include <algorithm>
#include <utility>

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
      processors_(static_cast<std::size_t>(pes),
                  {std::vector<std::uint64_t>(parameters_.prices.size()), 0}) {}

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
