#pragma once
// The order of all vertices by degree. The rank of a vertex is its index in the order. Ranks are
// the same for any number of PEs.

#include "atoll/collectives.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels::triangles {

/// Vertices are counted by degree only if their degree is below `k_counted_degrees`. Vertices with
/// larger degrees are so rare that every PE gets a list of all of them.
inline constexpr std::uint64_t k_counted_degrees = std::uint64_t{1} << 16;

/// A vertex and its degree.
struct vertex_of_degree {
  std::uint64_t degree;
  std::uint64_t vertex;

  /// Places larger degrees before smaller degrees. Vertices of equal degree are in ascending order.
  friend bool operator<(const vertex_of_degree& a, const vertex_of_degree& b) {
    return a.degree != b.degree ? a.degree > b.degree : a.vertex < b.vertex;
  }
};

/// Returns the vertices of all PEs in order. Every PE passes its own vertices in `mine`, and gets
/// the same result. Every PE calls this function.
inline task<std::vector<vertex_of_degree>> all_in_order(std::span<const vertex_of_degree> mine) {
  std::vector<vertex_of_degree> all;
  for (const auto& of_pe : co_await all_gather(mine))
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(all, std::less<>());
  co_return all;
}

/// Returns a rank for each degree: the rank of this PE's first vertex with the degree. `counts` has
/// the number of this PE's vertices of each degree. `before` is the number of vertices, on all PEs,
/// whose degree is at least `k_counted_degrees`. Each PE adds up the counts of a slice of degrees.
/// Every PE calls this function.
inline task<std::vector<std::uint64_t>> all_first_ranks(const std::vector<std::uint64_t>& counts,
                                                        std::uint64_t before) {
  const auto all = static_cast<std::size_t>(pes());
  const auto me = static_cast<std::size_t>(my_pe());
  const auto begin_of = [&](std::size_t pe) { return counts.size() * pe / all; };
  std::vector<std::span<const std::uint64_t>> slices;
  for (std::size_t pe = 0; pe < all; ++pe)
    slices.push_back(std::span(counts).subspan(begin_of(pe), begin_of(pe + 1) - begin_of(pe)));
  const auto received = co_await all_to_all(slices);
  std::uint64_t sum = 0;
  for (const auto& of_pe : received)
    for (const std::uint64_t vertices : of_pe) sum += vertices;
  const auto sums = co_await all_gather(sum);
  std::uint64_t next = before;
  for (std::size_t pe = me + 1; pe < all; ++pe) next += sums[pe];
  std::vector<std::vector<std::uint64_t>> firsts(
      all, std::vector<std::uint64_t>(begin_of(me + 1) - begin_of(me)));
  for (std::size_t d = firsts[0].size(); d-- > 0;)
    for (std::size_t pe = 0; pe < all; ++pe)
      firsts[pe][d] = std::exchange(next, next + received[pe][d]);
  std::vector<std::uint64_t> mine;
  for (const auto& of_pe : co_await all_to_all(firsts))
    mine.insert(mine.end(), of_pe.begin(), of_pe.end());
  co_return mine;
}

/// Returns the ranks of this PE's vertices. `degrees` has the degrees of this PE's vertices, by
/// row. `first_vertex` is the vertex of row 0. The vertex of largest degree has rank 0. Vertices of
/// equal degree have ascending ranks. Every PE calls this function.
template <class Id>
task<std::vector<Id>> all_ranks(std::span<const Id> degrees, std::uint64_t first_vertex) {
  const std::uint64_t mine =
      degrees.empty() ? 0 : std::uint64_t{*std::ranges::max_element(degrees)};
  const std::uint64_t most =
      co_await all_reduce(mine, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  std::vector<std::uint64_t> counts(std::min(most + 1, k_counted_degrees));
  std::vector<vertex_of_degree> large;
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    if (degrees[row] < counts.size())
      ++counts[degrees[row]];
    else
      large.push_back({degrees[row], first_vertex + row});
  }
  const auto largest = co_await all_in_order(large);
  auto next = co_await all_first_ranks(counts, largest.size());
  std::vector<Id> ranks(degrees.size());
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    const vertex_of_degree one{degrees[row], first_vertex + row};
    const auto found =
        degrees[row] < counts.size()
            ? next[degrees[row]]++
            : static_cast<std::uint64_t>(std::ranges::lower_bound(largest, one, std::less<>()) -
                                         largest.begin());
    ranks[row] = static_cast<Id>(found);
  }
  co_return ranks;
}

}  // namespace atl::kernels::triangles
