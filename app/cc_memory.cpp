#include "app/cc_memory.hpp"

#include "app/graph_memory.hpp"

#include <algorithm>

namespace atl::app {
namespace {

// The most bytes all PEs together hold at a time.
double bytes_to_label(const cc_flags& flags, double workers, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const bytes_of_graph graph(demand);
  // Labels, and what becomes of them: vertices with a parent elsewhere in a list that grows,
  // questions and answers; afterwards sizes.
  const double labels = vertices * id * (1 + 3 + 2 * k_gathered_copies);
  // Roots; vertices that are claimed and not yet looked at, in lists that grow; a few pairs of
  // roots that met, beside those in the set, of which nobody knows how many there will be.
  constexpr double claimed = 24, few = 64;
  const double claims =
      flags.set ? vertices * (id + 1.5 * claimed) + pes * few * workers * 2 * id : 0;
  // Sets of all vertices on PE 0, which deals out the labels.
  const double expecting =
      flags.common.verify ? graph.stored + vertices * id * (2 + k_gathered_copies) : 0;
  return std::max({graph.building, graph.built + labels + claims + expecting});
}

}  // namespace

void check_memory(const cc_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes) {
  const load_demand demand = demand_to_load(flags, size, true, pes, flags.common.verify);
  check_memory_for(flags, options,
                   {"finding components of", size, pes,
                    bytes_to_label(flags, static_cast<double>(options.workers), demand),
                    bytes_of_graph(demand).stored});
}

}  // namespace atl::app
