#pragma once
// The graph of `atoll bench bfs --scale`. Each process generates its share of the edges. The data
// of a vertex is stored on the process that owns the vertex.

#include "atoll/random_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "peers/graph/exchange.hpp"
#include "peers/graph/partition.hpp"
#include "peers/graph/rows.hpp"
#include "peers/mpi_session.hpp"
#include "support/flags.hpp"

namespace bench::peers {

struct graph_options {
  std::uint64_t scale = 18, edge_factor = 16, seed = 1, processes = 2;
  bool over_hosts = false, verify = false;

  atl::generator_parameters graph() const {
    return {.scale = scale, .edge_factor = edge_factor, .seed = seed};
  }
  /// Throws bad_input if the graph has too many edges.
  void check() const {
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    if (graph().edges() > most) throw bad_input("--edge-factor: more than 2^30 edges");
  }
};

/// Adds the flags of `o`. `check` is the help of --verify.
inline void add_graph_flags(flags& flags, graph_options& o, const char* check) {
  flags.add("scale", o.scale, 1, 27, "2^N vertices of the Kronecker graph");
  flags.add("edge-factor", o.edge_factor, 1, 1024, "edges a vertex");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph, and of what is chosen in it");
  flags.add("processes", o.processes, 1, 1024,
            "processes, where no launcher has started this program");
  flags.add("over-hosts", o.over_hosts, "let Open MPI choose transports beside shared memory");
  flags.add("verify", o.verify, check);
}

/// Calls `visit(from, to)` for this process's share of the edges.
template <class Visit>
void for_each_edge(const atl::generator_parameters& graph, const mpi_session& all,
                   const Visit& visit) {
  const auto begin_of = [&](int rank) {
    return graph.edges() * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(all.size);
  };
  const atl::random_graph_generator edge(graph);
  for (std::uint64_t i = begin_of(all.rank); i < begin_of(all.rank + 1); ++i) {
    const auto e = edge(i);
    visit(static_cast<vertex>(e.from), static_cast<vertex>(e.to));
  }
}

/// Returns the arcs of this process, in both directions, without self loops. `place(source,
/// target)` returns the process that stores an arc, and the representation of the arc on that
/// process. All processes call this function.
template <class Place>
std::vector<arc> arcs_of_process(const atl::generator_parameters& graph, const mpi_session& all,
                                 const Place& place) {
  std::vector<arc> arcs;
  for (const bool forth : {true, false}) {
    std::vector<std::vector<arc>> to(static_cast<std::size_t>(all.size));
    for_each_edge(graph, all, [&](vertex a, vertex b) {
      if (a == b) return;
      const auto [process, as] = forth ? place(a, b) : place(b, a);
      to[static_cast<std::size_t>(process)].push_back(as);
    });
    const auto received = exchange(MPI_COMM_WORLD, to);
    arcs.insert(arcs.end(), received.begin(), received.end());
  }
  return arcs;
}

/// Returns the arcs whose sources this process owns, as rows. All processes call this function.
inline rows rows_of_process(const atl::generator_parameters& graph, const mpi_session& all,
                            const partition& where) {
  const auto arcs = arcs_of_process(graph, all, [&](vertex from, vertex to) {
    const int owner = where.owner(from);
    return std::pair(owner, arc{static_cast<vertex>(from - where.begin(owner)), to});
  });
  return rows(where.size(all.rank), arcs);
}

/// Returns the number of input edges that begin at each vertex of this process. All processes call
/// this function.
inline std::vector<std::uint32_t> edges_by_first(const atl::generator_parameters& graph,
                                                 const mpi_session& all, const partition& where) {
  std::vector<std::vector<vertex>> to(static_cast<std::size_t>(all.size));
  for_each_edge(graph, all, [&](vertex from, vertex) {
    to[static_cast<std::size_t>(where.owner(from))].push_back(from);
  });
  std::vector<std::uint32_t> counts(where.size(all.rank));
  for (const vertex from : exchange(MPI_COMM_WORLD, to)) ++counts[from - where.begin(all.rank)];
  return counts;
}

/// Gathers the values of all vertices on the first process. `own` has the values of this process's
/// vertices. Other processes get an empty vector. All processes call this function.
template <class Value>
std::vector<Value> gather(std::span<const Value> own, const partition& where,
                          const mpi_session& all) {
  std::vector<int> sizes, begins;
  for (int process = 0; process < all.size; ++process) {
    sizes.push_back(static_cast<int>(where.size(process)));
    begins.push_back(static_cast<int>(where.begin(process)));
  }
  std::vector<Value> gathered(all.rank == 0 ? where.vertices() : 0);
  MPI_Gatherv(own.data(), static_cast<int>(own.size()), mpi_type<Value>(), gathered.data(),
              sizes.data(), begins.data(), mpi_type<Value>(), 0, MPI_COMM_WORLD);
  return gathered;
}

}  // namespace bench::peers
