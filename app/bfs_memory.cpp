#include "app/bfs_memory.hpp"

#include "app/job_memory.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"

#include <algorithm>
#include <limits>

namespace atl::app {
namespace {

// What is free does not have what is held already; what a limit allows does.
bool fits(double needed, double held, const settings& options, const job_memory& free) {
  return needed + (options.memory_limit != 0 ? held : 0) <= static_cast<double>(free.bytes);
}

std::string name_of_graph(const bfs_flags& flags) {
  if (!flags.generated()) return flags.files.edges;
  return fmt::format("--scale {} --edge-factor {}", flags.random.scale, flags.random.edge_factor);
}

double bytes_of_stored(const bfs_flags& flags, double edges) {
  return flags.generated() ? 0 : edges * sizeof(edge);
}

}  // namespace

std::uint64_t id_bytes_for(const bfs_flags& flags, std::uint64_t vertices) {
  const bool narrow = vertices < std::numeric_limits<std::uint32_t>::max();
  return narrow && !flags.wide_ids ? 4 : 8;
}

double bytes_to_search(const bfs_demand& demand) {
  const bool undirected = demand.arcs_are == orientation::undirected;
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const double arcs = static_cast<double>(demand.size.edges) * (undirected ? 2 : 1);
  constexpr double offset = 8, count = 4, level = 4, cursor = 8;
  // What is gathered from all PEs stands on each of them three times: as it came, and twice copied.
  constexpr double gathered = 3;

  const double graph = arcs * id + vertices * (offset + count + (undirected ? id : 0));
  const double sorting = arcs * 3 * id + vertices * (offset + count + cursor);
  const double ordering = undirected ? graph + vertices * (1 + gathered * pes) : 0;
  const double tree = graph + vertices * 3 * id;
  const double bits = vertices / 8 * pes * (3 + gathered);
  // Arcs of the input, in lists that grow; three sums of each vertex.
  const double comparing = demand.verify ? graph + arcs * 2 * id * 1.5 + vertices * 24 : 0;
  const double checking = demand.verify ? vertices * level * (1 + gathered * pes) : 0;
  constexpr double fixed_a_pe = 16 << 20;
  return fixed_a_pe * pes + std::max({sorting, ordering, comparing, tree + bits + checking});
}

void check_memory(const bfs_flags& flags, const settings& options, const bfs_demand& demand) {
  const double needed = bytes_to_search(demand);
  const double held = bytes_of_stored(flags, static_cast<double>(demand.size.edges));
  const job_memory free = memory_for_job(options);
  if (fits(needed, held, options, free)) return;
  fail(errc::out_of_memory,
       "{}: searching {} vertices and {} edge{} needs about {}{} on {} PE{}, and {}",
       name_of_graph(flags), grouped_digits(demand.size.vertices),
       grouped_digits(demand.size.edges), demand.size.edges == 1 ? "" : "s", human_bytes(needed),
       held > 0 ? " beside its edges" : "", demand.pes, demand.pes == 1 ? "" : "s", free.sentence);
}

void check_memory_to_read(const bfs_flags& flags, const settings& options) {
  const double edges = guessed_edges(flags.files.edges);
  const double needed = bytes_of_stored(flags, edges);
  const job_memory free = memory_for_job(options);
  if (fits(needed, 0, options, free)) return;
  fail(errc::out_of_memory, "{}: its edges, about {}, need {}, and {}", flags.files.edges,
       human_number(edges), human_bytes(needed), free.sentence);
}

}  // namespace atl::app
