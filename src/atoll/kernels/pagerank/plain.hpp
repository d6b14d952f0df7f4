#pragma once
// The plain form (J. Nelson and others, "Latency-Tolerant Software Distributed Shared Memory",
// USENIX ATC 2015): a nested loop over vertices and their arcs, and a delegate for each arc.

#include "atoll/kernels/pagerank/ranks.hpp"
#include "atoll/work.hpp"

#include <utility>

namespace atl::kernels::pagerank {

/// Gives what stands at `source` to all targets of a row that this PE has.
template <class Id>
task<> give_to_targets(const graph_part<Id>& graph, per_pe<rank_part<Id>> ranks,
                       std::uint64_t row) {
  const double unit = ranks->contributions[ranks->source_of_row(row)];
  const auto targets = graph.row(row);
  charge(work::edge_scanned, targets.size());
  for (std::uint64_t i = 0; i < targets.size(); ++i) {
    const int owner = graph.shape.owner(targets[i]);
    const auto there = static_cast<Id>(targets[i] - graph.shape.begin(owner));
    const double given = graph.weights.empty() ? unit : unit * graph.weights_of_row(row)[i];
    ranks.async_update(owner, leaf([there, given](rank_part<Id>& part) noexcept {
                         part.received[part.slots[there]] += given;
                         ++part.delivered;
                       }));
    if (!has_room()) co_await room();
  }
}

/// What vertices give, to those that get it. Every PE calls it.
template <class Id>
task<> all_give_by_delegates(const graph_part<Id>& graph, per_pe<rank_part<Id>> ranks) {
  const auto give_all = [&]() -> task<> {
    for (std::uint64_t row = 0; row < graph.rows(); ++row) {
      if (graph.row(row).empty()) continue;
      co_await give_to_targets(graph, ranks, row);
      co_await yield();
    }
  };
  co_await finish(give_all);
  co_await all_barrier();
  charge(work::contribution_combined, std::exchange(ranks->delivered, 0));
}

}  // namespace atl::kernels::pagerank
