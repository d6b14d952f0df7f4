#pragma once
// PageRank over all PEs, and its tuned form.

#include "atoll/collectives.hpp"
#include "atoll/kernels/pagerank/plan.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/work.hpp"

namespace atl::kernels::pagerank {

// The tuned form: each PE adds up what its vertices give to each vertex, one block of them for each
// PE, in the agreed order. On one node a PE reads the sums for it where they were made; to others
// they are put, all of a block at once.

/// Where sums are made, on each PE, and where those arrive that have to travel.
struct sum_places {
  symmetric_array<double> made;
  symmetric_array<double> arrived;
};

/// Terms as they stand after one another.
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

/// Makes one sum after another.
template <class Id, bool Weighted>
class sum_maker {
 public:
  sum_maker(const sums_to<Id>& block, const double* contributions, double* sums)
      : near_(contributions, block.near.data(), block.near_weights.data()),
        far_(contributions, block.far.data(), block.far_weights.data()),
        sums_(sums) {}

  /// The next `count` sums of a run.
  void make(std::uint64_t count, const sum_run& run) {
    for (std::uint64_t i = 0; i < count; ++i) {
      *sums_++ = near_terms(run.near) + far_terms(run.far);
      near_.pass(run.near);
      far_.pass(run.far);
    }
  }

 private:
  // In four sums: an addition waits for the one before it.
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

/// All sums of the block. Blocks the task; others run meanwhile.
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

/// What a PE adds up for another. Blocks the task.
template <class Id>
task<> add_up_block(const sums_to<Id>& block, const double* contributions, double* sums) {
  const bool weighted = !block.near_weights.empty() || !block.far_weights.empty();
  if (weighted)
    co_await make_all(sum_maker<Id, true>(block, contributions, sums), block.runs);
  else
    co_await make_all(sum_maker<Id, false>(block, contributions, sums), block.runs);
}

/// Gives the sums of a block to the vertices they are for.
template <class Id>
task<> receive(std::span<const Id> slots, const double* sums, huge_vector<double>& received) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) received[slots[i]] += sums[i];
  };
  co_await graph::in_stretches(0, slots.size(), add);
  charge(work::contribution_combined, slots.size());
}

/// What vertices give, to those that get it. Every PE calls it.
template <class Id>
task<> all_give_in_blocks(rank_part<Id>& ranks, const plan_part<Id>& plan, sum_places places) {
  const int all = pes();
  for (int i = 1; i <= all; ++i) {  // its own last: the others travel meanwhile
    const int pe = (my_pe() + i) % all;
    const sums_to<Id>& block = plan.to[static_cast<std::size_t>(pe)];
    const auto made = places.made.local().subspan(block.first, block.sums);
    co_await add_up_block(block, ranks.contributions.data(), made.data());
    if (made.empty() || !places.made.reached(pe).empty()) continue;
    one_sided::put_nbi(places.arrived.on(pe, plan.places[static_cast<std::size_t>(pe)]),
                       std::span<const double>(made));
  }
  co_await one_sided::quiet();
  co_await all_barrier();
  for (int i = 0; i < all; ++i) {
    const int pe = (my_pe() + i) % all;
    const sums_from<Id>& block = plan.from[static_cast<std::size_t>(pe)];
    const auto there = places.made.reached(pe);
    const double* const sums =
        there.empty() ? places.arrived.local().data() + block.place : there.data() + block.first;
    co_await receive(std::span<const Id>(block.slots), sums, ranks.received);
  }
}

// PageRank over all PEs: the share of time that somebody spends at each vertex who follows a random
// arc with probability `damping`, and else, or where there is none, goes on at any vertex. Arcs of
// a graph with weights, none of them below 0, are followed as often as they weigh; in others
// duplicates of arcs count once. Self loops do not count.

/// What a run on a graph needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<rank_part<Id>> ranks;
  per_pe<plan_part<Id>> plans;
  sum_places places;

  /// One task calls it. Blocks the task.
  static task<workspace> make(distributed_graph<Id> graph);
  /// The same, prepared by `all_prepare(on)`, a coroutine that every PE calls.
  template <class Prepare>
  static task<workspace> make(distributed_graph<Id> graph, Prepare all_prepare);
  task<> destroy() const;
};

/// Everything that is the same for all runs. Returns the most sums a PE has. Every PE calls it.
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

/// Iterates from equal ranks on until they change by less than the tolerance; `all_give()`, a
/// coroutine, adds up in each iteration what this PE's vertices receive. Every PE calls it; all get
/// the same.
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

/// The same by blocks.
template <class Id>
task<convergence> all_iterate(workspace<Id> on, parameters with) {
  rank_part<Id>& ranks = on.ranks.local();
  const auto give = [&] { return all_give_in_blocks(ranks, on.plans.local(), on.places); };
  co_return co_await all_iterate_by(ranks, with, give);
}

// Compiled once for each width of ids, in pagerank.cpp.
#define ATOLL_PAGERANK(kind, Id)                                                                   \
  kind template struct workspace<Id>;                                                              \
  kind template task<convergence> all_iterate(workspace<Id>, parameters);
ATOLL_PAGERANK(extern, std::uint32_t)
ATOLL_PAGERANK(extern, std::uint64_t)

}  // namespace atl::kernels::pagerank
