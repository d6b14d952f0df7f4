#pragma once
// The tuned form: each PE adds up what its vertices give to each vertex, one block of them for each
// PE, in the agreed order. On one node a PE reads the sums for it where they were made; to others
// they are put, all of a block at once.

#include "atoll/kernels/pagerank_plan.hpp"
#include "atoll/memory/one_sided.hpp"

namespace atl::kernels::pagerank {

/// Where sums are made, on each PE, and where those arrive that have to travel.
struct sum_places {
  symmetric_array<double> made;
  symmetric_array<double> arrived;
};

/// Each of `count` sums of so many terms.
template <class Id>
void add_up_terms(const double* contributions, const Id* places, std::uint64_t terms,
                  std::uint64_t count, double* sums) {
  for (std::uint64_t i = 0; i < count; ++i, places += terms) {
    double even = 0, odd = 0;  // two sums: an addition waits for the one before
    std::uint64_t k = 0;
    for (; k + 1 < terms; k += 2) {
      even += contributions[places[k]];
      odd += contributions[places[k + 1]];
    }
    if (k < terms) even += contributions[places[k]];
    sums[i] = even + odd;
  }
}

/// All that a PE adds up for another. Blocks the task; others run meanwhile.
template <class Id>
task<> add_up_block(const sums_to<Id>& block, const double* contributions, double* sums) {
  const Id* places = block.terms.data();
  std::uint64_t done = 0;
  for (const sum_run& run : block.runs) {
    const std::uint64_t most = std::max<std::uint64_t>(1, graph::k_stretch / run.terms);
    for (std::uint64_t left = run.sums; left > 0;) {
      const std::uint64_t count = std::min(left, most);
      add_up_terms(contributions, places, run.terms, count, sums);
      places += count * run.terms;
      sums += count;
      left -= count;
      done += count * run.terms;
      if (done < graph::k_stretch) continue;
      done = 0;
      co_await yield();
    }
  }
}

/// Gives the sums of a block to the vertices they are for.
template <class Id>
task<> receive(std::span<const Id> slots, const double* sums, huge_vector<double>& received) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) received[slots[i]] += sums[i];
  };
  co_await graph::in_stretches(0, slots.size(), add);
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
