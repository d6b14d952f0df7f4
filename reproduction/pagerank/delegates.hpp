#pragma once
// PageRank as a nested loop over vertices and their arcs. For each arc, a delegate, a message with
// a function, adds a contribution to the target vertex (J. Nelson and others, "Latency-Tolerant
// Software Distributed Shared Memory", USENIX ATC 2015).

#include "atoll/kernels/pagerank/run.hpp"
#include "atoll/work.hpp"

#include <vector>

namespace atl::reproduction {

namespace pagerank = kernels::pagerank;

/// Sends the contribution of the vertex of `row` to all targets of its arcs.
template <class Id>
task<> give_to_targets(const graph_part<Id>& graph, per_pe<pagerank::rank_part<Id>> ranks,
                       std::uint64_t row) {
  const double unit = ranks->contributions[ranks->source_of_row(row)];
  const auto targets = graph.row(row);
  charge(work::edge_scanned, targets.size());
  for (std::uint64_t i = 0; i < targets.size(); ++i) {
    const int owner = graph.shape.owner(targets[i]);
    const auto there = static_cast<Id>(targets[i] - graph.shape.begin(owner));
    const double given = graph.weights.empty() ? unit : unit * graph.weights_of_row(row)[i];
    ranks.async_update(owner, leaf([there, given](pagerank::rank_part<Id>& part) noexcept {
                         part.received[part.slots[there]] += given;
                       }));
    if (!has_room()) co_await room();
  }
}

/// Sends the contributions of all vertices of this PE. `arriving` is the number of arcs that end at
/// vertices of this PE. Every PE must call this function.
template <class Id>
task<> all_give_by_delegates(const graph_part<Id>& graph, per_pe<pagerank::rank_part<Id>> ranks,
                             std::uint64_t arriving) {
  const auto give_all = [&]() -> task<> {
    for (std::uint64_t row = 0; row < graph.rows(); ++row) {
      if (graph.row(row).empty()) continue;
      co_await give_to_targets(graph, ranks, row);
      co_await yield();
    }
  };
  co_await finish(give_all);
  co_await all_barrier();
  charge(work::contribution_combined, arriving);
}

/// Returns the number of arcs of all PEs that end at a vertex of this PE. Every PE must call this
/// function.
template <class Id>
task<std::uint64_t> all_count_arriving(const graph_part<Id>& graph) {
  std::vector<std::uint64_t> arcs(static_cast<std::size_t>(pes()));
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i)
      ++arcs[static_cast<std::size_t>(graph.shape.owner(graph.targets[i]))];
  };
  co_await atl::graph::in_stretches(0, graph.arcs(), count);
  arcs = co_await all_reduce(std::move(arcs), std::plus<>());
  co_return arcs[static_cast<std::size_t>(my_pe())];
}

/// Makes a workspace for runs. The workspace has no plan for sums, and its slots are in the order
/// of rows. One task of the job calls this function.
template <class Id>
task<pagerank::workspace<Id>> make_delegates_workspace(distributed_graph<Id> graph) {
  const auto prepare = [](pagerank::workspace<Id> on) -> task<std::uint64_t> {
    co_await on.ranks->all_prepare(on.graph.local(), false);
    co_return 0;
  };
  return pagerank::workspace<Id>::make(graph, prepare);
}

/// Computes the ranks by delegates (messages with functions), in place of `pagerank::all_run`.
/// Every PE must call this function.
template <class Id>
task<pagerank::run_outcome> all_run_by_delegates(pagerank::workspace<Id> on,
                                                 pagerank::parameters with,
                                                 const pagerank::expected_ranks* expected) {
  const graph_part<Id>& graph = on.graph.local();
  const std::uint64_t arriving = co_await all_count_arriving(graph);
  const auto give = [&] { return all_give_by_delegates(graph, on.ranks, arriving); };
  const auto rank = [&] { return pagerank::all_iterate_by(on.ranks.local(), with, give); };
  co_return co_await pagerank::all_run_by(on.ranks.local(), expected, rank);
}

// The templates are compiled once for vertex numbers of 32 bits and of 64 bits, in delegates.cpp.
#define ATOLL_PAGERANK_BY_DELEGATES(kind, Id)                                                      \
  kind template task<pagerank::workspace<Id>> make_delegates_workspace(distributed_graph<Id>);     \
  kind template task<pagerank::run_outcome> all_run_by_delegates(                                  \
      pagerank::workspace<Id>, pagerank::parameters, const pagerank::expected_ranks*);
ATOLL_PAGERANK_BY_DELEGATES(extern, std::uint32_t)
ATOLL_PAGERANK_BY_DELEGATES(extern, std::uint64_t)

}  // namespace atl::reproduction
