#pragma once
// Gathers the edges of all PEs on PE 0, which processes them.

#include "atoll/atoll.hpp"
#include "atoll/graph/build.hpp"

namespace atl::kernels {

/// Largest number of edges of each PE that are in flight at the same time.
inline constexpr std::uint64_t k_gathered_at_once = std::uint64_t{1} << 16;

/// Gathers edges on PE 0. Each PE sends `item(i, edge)` for each of its edges, where i is the index
/// of the edge. PE 0 repeatedly calls `take(pe, items)` with some items of PE `pe`. The items of a
/// PE are passed in the order of the edges. Few edges of a PE are in flight at a time, so that the
/// memory of PE 0 suffices. Every PE calls this function.
template <edge_source Edges, class Item, class Take>
task<> all_gather_edges(const Edges& edges, const Item& item, const Take& take) {
  using brought = decltype(item(std::uint64_t{}, edge{}));
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  const auto most = co_await all_reduce(std::uint64_t{edges.size()}, larger);
  std::vector<brought> some;
  for (std::uint64_t begin = 0; begin < most; begin += k_gathered_at_once) {
    const std::uint64_t end = std::min<std::uint64_t>(edges.size(), begin + k_gathered_at_once);
    some.clear();
    for (std::uint64_t i = begin; i < end; ++i) some.push_back(item(i, edges(i)));
    const auto of_all = co_await all_gather_to(0, std::span<const brought>(some));
    for (std::size_t pe = 0; pe < of_all.size(); ++pe) {
      take(pe, of_all[pe]);
      co_await yield();
    }
    co_await all_barrier();
  }
}

}  // namespace atl::kernels
