#pragma once
// The tuned form: each PE adds up what its vertices give to each vertex, one block of them for each
// PE, in the agreed order. On one node a PE reads the sums for it where they were made; to others
// they are put, all of a block at once.

#include "atoll/kernels/pagerank/plan.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/work.hpp"

namespace atl::kernels::pagerank {

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

}  // namespace atl::kernels::pagerank
