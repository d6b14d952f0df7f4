#pragma once
// Checks exchanges that overlap work with the transfer of lists. During an exchange, each
// participating PE must do its work exactly once, before any received list is applied.

#include "atoll/collectives.hpp"
#include "atoll/kernels/mst/exchange.hpp"
#include "support/run_on.hpp"

#include <numeric>

namespace mst_lists {

using namespace atl;
namespace mst = kernels::mst;

struct item {
  std::uint64_t from;
  std::uint64_t number;
};

/// Returns the number of items for a pair of PEs: 0, a few, or more than one transfer holds.
inline std::uint64_t items_for(int from, int to) {
  constexpr std::uint64_t counts[] = {3, 0, 700};
  return counts[static_cast<std::size_t>(from + to) % std::size(counts)];
}

inline std::vector<int> every_other_pe() {
  std::vector<int> some;
  for (int pe = 0; pe < pes(); pe += 2) some.push_back(pe);
  return some;
}

inline std::vector<int> all_of_them() {
  std::vector<int> all(static_cast<std::size_t>(pes()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Records the events on a PE in one exchange.
struct observed {
  std::vector<std::uint64_t> heard = std::vector<std::uint64_t>(static_cast<std::size_t>(pes()));
  std::uint64_t applied_before_work = 0;
  std::uint64_t out_of_order = 0;
  int worked = 0;

  void hear(int from, std::span<const item> piece) {
    applied_before_work += worked == 0 ? 1 : 0;
    for (const item& each : piece) {
      const bool is_next = each.number == heard[static_cast<std::size_t>(from)]++;
      out_of_order += is_next && each.from == static_cast<std::uint64_t>(from) ? 0 : 1;
    }
  }

  void expect(bool takes_part) const {
    EXPECT_EQ(worked, takes_part ? 1 : 0);
    EXPECT_EQ(applied_before_work, 0u);
    EXPECT_EQ(out_of_order, 0u);
  }
};

template <class Exchange>
task<> send_lists(Exchange& others, const std::vector<int>& among) {
  const bool takes_part = std::ranges::find(among, my_pe()) != among.end();
  mst::lists<item> out(pes());
  for (const int pe : among)
    for (std::uint64_t i = 0; i < items_for(my_pe(), pe); ++i) out.count(pe);
  out.allocate();
  for (const int pe : among)
    for (std::uint64_t i = 0; i < items_for(my_pe(), pe); ++i)
      out.add(pe, {static_cast<std::uint64_t>(my_pe()), i});
  observed seen;
  const auto hear = [&](int from, std::span<const item> piece) { seen.hear(from, piece); };
  co_await others.all_pairs(among, out, hear, [&] { ++seen.worked; });
  seen.expect(takes_part);
  for (const int pe : among) {
    const bool comes = takes_part && pe != my_pe();
    EXPECT_EQ(seen.heard[static_cast<std::size_t>(pe)], comes ? items_for(pe, my_pe()) : 0);
  }
}

template <class Exchange>
task<> send_along_ring(Exchange& others) {
  if (pes() == 1) co_return;
  const int next = (my_pe() + 1) % pes();
  const int before = (my_pe() + pes() - 1) % pes();
  std::vector<item> out;
  for (std::uint64_t i = 0; i < items_for(my_pe(), next); ++i)
    out.push_back({static_cast<std::uint64_t>(my_pe()), i});
  observed seen;
  const auto hear = [&](int from, std::span<const item> piece) { seen.hear(from, piece); };
  co_await others.shift(next, before, std::span<const item>(out), hear, [&] { ++seen.worked; });
  seen.expect(true);
  EXPECT_EQ(seen.heard[static_cast<std::size_t>(before)], items_for(before, my_pe()));
}

/// Gathers items at the leader. Only the leader does the work, even if no items arrive.
template <class Exchange>
task<> gather_items(Exchange& others, std::uint64_t each) {
  const std::vector<item> out(my_pe() == 0 ? 0 : each, {static_cast<std::uint64_t>(my_pe()), 0});
  int worked = 0;
  const auto all =
      co_await others.gather(all_of_them(), std::span<const item>(out), [&] { ++worked; });
  EXPECT_EQ(worked, my_pe() == 0 && pes() > 1 ? 1 : 0);
  const auto others_have = each * static_cast<std::uint64_t>(pes() - 1);
  EXPECT_EQ(all.items.size(), my_pe() == 0 ? others_have : 0);
  for (std::size_t pe = 1; my_pe() == 0 && pe + 1 < all.begin.size(); ++pe)
    for (const item& one : all.of(pe)) EXPECT_EQ(one.from, pe);
}

template <class Exchange>
task<> send_all_ways(Exchange& others) {
  for (int again = 0; again < 2; ++again) {
    co_await send_lists(others, all_of_them());
    co_await send_lists(others, every_other_pe());
    co_await send_along_ring(others);
    for (const std::uint64_t each : {0U, 1U, 600U}) co_await gather_items(others, each);
  }
}

}  // namespace mst_lists
