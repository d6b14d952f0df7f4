#include "app/pagerank_memory.hpp"

#include "app/graph_memory.hpp"

#include <algorithm>

namespace atl::app {
namespace {

// The most bytes all PEs together hold at a time.
double bytes_to_rank(const pagerank_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto input = static_cast<double>(demand.size.edges);
  const double arcs = input * (demand.undirected ? 2 : 1);
  constexpr double real = 8, count = 8;
  const bytes_of_graph graph(demand);
  const double ranks = vertices * (4 * real + 2 * id);
  // Each PE has at most one sum for each vertex; it is agreed upon in lists of ids.
  const bool plans = flags.how == kernels::pagerank::form::blocked;
  const double sums = plans ? std::min(arcs, vertices * pes) : 0;
  const double agreed = sums * (2 * real + (1 + k_gathered_copies) * id);
  const double weights = flags.weighted ? arcs * real : 0;
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  const double terms =
      plans ? arcs * (2 + 1) * id + 2 * weights + vertices * (2 * count + 2 * id) : 0;
  // All edges with weights are gathered on PE 0, in lists that grow, which makes arcs of them; four
  // numbers of each vertex.
  const double edges = input * (2 * id + real);
  const double gathered = edges * 1.5 + arcs * 2 * real;
  const double verifying =
      flags.common.verify ? gathered + vertices * (4 + k_gathered_copies) * real : 0;
  return std::max(graph.building,
                  stored + graph.built + weights + ranks + agreed + std::max(terms, verifying));
}

load_demand demand_of(const pagerank_flags& flags, graph_size size, std::uint64_t pes) {
  const bool undirected = flags.arcs_are() == orientation::undirected;
  return demand_to_load(flags, size, undirected, pes, flags.common.verify || flags.weighted);
}

}  // namespace

void check_memory(const pagerank_flags& flags, const settings& options, graph_size size,
                  std::uint64_t pes) {
  const load_demand demand = demand_of(flags, size, pes);
  check_memory_for(
      flags, options,
      {"ranking", size, pes, bytes_to_rank(flags, demand), bytes_of_graph(demand).stored});
}

}  // namespace atl::app
