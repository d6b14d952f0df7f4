#include "app/mst_memory.hpp"

#include "app/graph_memory.hpp"
#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/one_sided.hpp"

#include <algorithm>

namespace atl::app {
namespace {

namespace mst = kernels::mst;

// The most bytes all PEs together hold at a time, beside the edges of a file.
template <class Word>
double bytes_of_forest(graph_size size, double pes, bool verify) {
  const auto edges = static_cast<double>(size.edges);
  const auto vertices = static_cast<double>(size.vertices);
  constexpr double raw = sizeof(mst::raw_edge<Word>), record = sizeof(mst::edge_record<Word>);
  // Edges between two PEs stand on both; so all may. Sorted by way of a copy, beside the input.
  const double copies = pes > 1 ? 2 : 1;
  const double distributing = copies * edges * raw * 2;
  const double merging = copies * edges * record * 2;
  const double tables = copies * vertices * 4 * sizeof(Word);
  constexpr double buffers = 3;  // what others read, what they put here, and what is read of them
  const double verifying = verify ? edges * (raw + 5 * 24) : 0;
  return edges * raw + std::max({distributing, merging + tables, verifying}) +
         pes * buffers * static_cast<double>(mst::usual_exchange_bytes(size.edges, pes));
}

}  // namespace

void check_memory(const mst_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes) {
  const bool narrow = id_bytes_for(flags, std::max(size.vertices, size.edges)) == 4;
  const auto all = static_cast<double>(pes);
  const double bytes = narrow ? bytes_of_forest<std::uint32_t>(size, all, flags.common.verify)
                              : bytes_of_forest<std::uint64_t>(size, all, flags.common.verify);
  const double stored = bytes_of_graph(demand_to_load(flags, size, true, pes, true)).stored;
  check_memory_for(flags, options, {"finding the forest of", size, pes, bytes + stored, stored});
}

}  // namespace atl::app
