#pragma once
// Performs the iterations of PageRank over all PEs.

#include "atoll/collectives.hpp"
#include "atoll/kernels/pagerank/plan.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/work.hpp"

namespace atl::kernels::pagerank {

// In each iteration a PE adds up the contributions of its vertices to each vertex of another PE.
// The sums for one PE form a block, in an order on which both PEs have agreed (plan.hpp). A PE of
// the same node reads the block directly in the memory of the PE that has made the block. A block
// for a PE of another node is sent as a whole by a put.

/// The memory for sums. On each PE, `made` has the sums that the PE makes, and `arrived` has the
/// sums that arrive from PEs of other nodes.
struct sum_places {
  symmetric_array<double> made;
  symmetric_array<double> arrived;
};

/// Pointers to the next terms of sums. A term is the contribution with the index `places[k]`. If
/// arcs have weights, the contribution is multiplied by `weights[k]`.
template <class Place, bool Weighted>
class term_list {
 public:
  term_list(const double* contributions, const Place* places, const double* weights)
      : contributions_(contributions), places_(places), weights_(weights) {}

  double operator[](std::uint64_t k) const {
    const double given = contributions_[places_[k]];
    if constexpr (Weighted) return given * weights_[k];
    return given;
  }
  void ask_for(std::uint64_t k) const { __builtin_prefetch(contributions_ + places_[k]); }

  void pass(std::uint64_t count) {
    places_ += count;
    if constexpr (Weighted) weights_ += count;
  }

 private:
  const double* contributions_;
  const Place* places_;
  const double* weights_;
};

/// Makes the sums of a block, which are the sums for one PE, one after another.
template <class Id, bool Weighted>
class sum_maker {
 public:
  sum_maker(const sums_to<Id>& block, const double* contributions, double* sums)
      : near_(contributions, block.near.data(), block.near_weights.data()),
        far_(contributions, block.far.data(), block.far_weights.data()),
        sums_(sums) {}

  /// Makes the next `count` sums of `run`, a sequence of sums with equal numbers of near and far
  /// contributions.
  void make(std::uint64_t count, const sum_run& run) {
    for (std::uint64_t i = 0; i < count; ++i) {
      *sums_++ = near_terms(run.near) + far_terms(run.far);
      near_.pass(run.near);
      far_.pass(run.far);
    }
  }

 private:
  // Four partial sums are used, because an addition must wait for the previous addition to the same
  // sum.
  double near_terms(std::uint64_t count) const {
    double sums[4] = {};
    std::uint64_t k = 0;
    for (; k + 4 <= count; k += 4)
      for (std::uint64_t lane = 0; lane < 4; ++lane) sums[lane] += near_[k + lane];
    for (; k < count; ++k) sums[0] += near_[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  double far_terms(std::uint64_t count) const {
    double sum = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      far_.ask_for(k + sums_to<Id>::k_ahead);
      sum += far_[k];
    }
    return sum;
  }

  term_list<std::uint16_t, Weighted> near_;
  term_list<Id, Weighted> far_;
  double* sums_;
};

/// Makes all sums of a block, which are the sums for one PE. The task waits, and other tasks run
/// meanwhile.
template <class Id, bool Weighted>
task<> make_all(sum_maker<Id, Weighted> maker, std::span<const sum_run> runs) {
  std::uint64_t done = 0;
  for (const sum_run& run : runs) {
    const std::uint64_t terms = run.near + run.far;
    const std::uint64_t most = std::max<std::uint64_t>(1, graph::k_stretch / terms);
    for (std::uint64_t left = run.sums; left > 0;) {
      const std::uint64_t count = std::min(left, most);
      maker.make(count, run);
      left -= count;
      done += count * terms;
      if (done < graph::k_stretch) continue;
      charge(work::contribution_summed, std::exchange(done, 0));
      co_await yield();
    }
  }
  charge(work::contribution_summed, done);
}

/// Makes the sums of `block`, which are this PE's sums for vertices of one PE. The sums are written
/// to `sums`. The task waits.
template <class Id>
task<> add_up_block(const sums_to<Id>& block, const double* contributions, double* sums) {
  const bool weighted = !block.near_weights.empty() || !block.far_weights.empty();
  if (weighted)
    co_await make_all(sum_maker<Id, true>(block, contributions, sums), block.runs);
  else
    co_await make_all(sum_maker<Id, false>(block, contributions, sums), block.runs);
}

/// Adds each of the `sums` that one PE has made to the element of `received` for the sum's target
/// vertex.
template <class Id>
task<> receive(std::span<const Id> slots, const double* sums, huge_vector<double>& received) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) received[slots[i]] += sums[i];
  };
  co_await graph::in_stretches(0, slots.size(), add);
  charge(work::contribution_combined, slots.size());
}

/// Makes one block of sums for each PE, and sends the blocks for PEs of other nodes. Adds the sums
/// of all blocks for this PE to `ranks.received`. Every PE calls this function.
template <class Id>
task<> all_give_in_blocks(rank_part<Id>& ranks, const plan_part<Id>& plan, sum_places places) {
  const int all = pes();
  // A PE makes the sums for its own vertices last, while the sums for other PEs are in flight.
  for (int i = 1; i <= all; ++i) {
    const int pe = (my_pe() + i) % all;
    const sums_to<Id>& block = plan.to[static_cast<std::size_t>(pe)];
    const auto made = places.made.local().subspan(block.first, block.sums);
    co_await add_up_block(block, ranks.contributions.data(), made.data());
    if (made.empty() || !places.made.directly_mapped(pe).empty()) continue;
    one_sided::put_nbi(places.arrived.on(pe, plan.places[static_cast<std::size_t>(pe)]),
                       std::span<const double>(made));
  }
  co_await one_sided::quiet();
  co_await all_barrier();
  for (int i = 0; i < all; ++i) {
    const int pe = (my_pe() + i) % all;
    const sums_from<Id>& block = plan.from[static_cast<std::size_t>(pe)];
    const auto there = places.made.directly_mapped(pe);
    const double* const sums =
        there.empty() ? places.arrived.local().data() + block.place : there.data() + block.first;
    co_await receive(std::span<const Id>(block.slots), sums, ranks.received);
  }
}

// PageRank over all PEs. The rank of a vertex is the share of time that a random walk spends at the
// vertex. With probability `damping` the walk follows a random arc of its vertex. With the
// remaining probability, or if the vertex has no arcs, the walk continues at any vertex. If arcs
// have weights, the walk follows an arc in proportion to its weight, which may not be negative.
// Without weights, duplicate arcs are counted once. Self loops are ignored.

/// The graph and the data of runs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<rank_part<Id>> ranks;
  per_pe<plan_part<Id>> plans;
  sum_places places;

  /// Makes a workspace. One task calls this function and waits.
  static task<workspace> make(distributed_graph<Id> graph);
  /// Makes a workspace, and prepares it by `all_prepare(on)`, a coroutine that runs on every PE.
  template <class Prepare>
  static task<workspace> make(distributed_graph<Id> graph, Prepare all_prepare);
  task<> destroy() const;
};

/// Prepares the data that all runs share. Returns the largest number of sums of any PE. Every PE
/// calls this function.
template <class Id>
task<std::uint64_t> all_prepare(workspace<Id> on) {
  co_await on.ranks->all_prepare(on.graph.local(), true);
  co_await on.plans->all_prepare(on.graph.local(), on.ranks.local());
  co_return co_await on.plans->all_most_sums();
}

template <class Id>
template <class Prepare>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph, Prepare all_prepare) {
  workspace made;
  made.graph = graph;
  made.ranks = co_await per_pe<rank_part<Id>>::make();
  made.plans = co_await per_pe<plan_part<Id>>::make();
  const auto prepare = [made, all_prepare] { return all_prepare(made); };
  const std::uint64_t sums = std::max<std::uint64_t>(1, co_await from_all_pes(prepare));
  made.places.made = co_await make_symmetric_array<double>(sums);
  made.places.arrived = co_await make_symmetric_array<double>(sums);
  co_return made;
}

template <class Id>
task<workspace<Id>> workspace<Id>::make(distributed_graph<Id> graph) {
  return make(graph, [](workspace on) { return all_prepare(on); });
}

template <class Id>
task<> workspace<Id>::destroy() const {
  co_await places.made.destroy();
  co_await places.arrived.destroy();
  co_await plans.destroy();
  co_await ranks.destroy();
}

/// Iterates from equal ranks until the ranks change by less than the tolerance, but at most
/// `with.max_iterations` times. In each iteration, PEs await the coroutine `all_give()`, which adds
/// up the contributions to each PE's vertices. Every PE calls this function. Every PE gets the same
/// result.
template <class Id, class Give>
task<convergence> all_iterate_by(rank_part<Id>& ranks, parameters with, Give all_give) {
  convergence found;
  co_await ranks.all_start();
  do {
    co_await all_give();
    co_await ranks.all_update(with);
    found.residual = ranks.sums().change;
    ++found.iterations;
    if (ranks.progress) ranks.progress(found.iterations, found.residual);
  } while (found.residual >= with.tolerance && found.iterations < with.max_iterations);
  co_return found;
}

/// Iterates as `all_iterate_by` does. In each iteration, each PE transfers its sums of
/// contributions for another PE as one block. Every PE calls this function. Every PE gets the same
/// result.
template <class Id>
task<convergence> all_iterate(workspace<Id> on, parameters with) {
  rank_part<Id>& ranks = on.ranks.local();
  const auto give = [&] { return all_give_in_blocks(ranks, on.plans.local(), on.places); };
  co_return co_await all_iterate_by(ranks, with, give);
}

// The templates are compiled once for 32-bit and once for 64-bit vertex numbers, in pagerank.cpp.
#define ATOLL_PAGERANK(kind, Id)                                                                   \
  kind template struct workspace<Id>;                                                              \
  kind template task<convergence> all_iterate(workspace<Id>, parameters);
ATOLL_PAGERANK(extern, std::uint32_t)
ATOLL_PAGERANK(extern, std::uint64_t)

}  // namespace atl::kernels::pagerank
