#pragma once
// Whether ranks are right, found out from the edges of the input by code that shares nothing with
// the kernels: PE 0 gathers them, ranks all vertices by itself, as plainly as can be, and deals out
// what it found. Every rank must agree with that to 1e-9 of itself: all terms are positive, so that
// no order of additions comes to anything else. That is stricter than 1e-9 of the mean rank for all
// vertices below it, and than an absolute 1e-9 for all.

#include "atoll/kernels/common/bring_edges.hpp"
#include "atoll/kernels/pagerank/serial.hpp"

namespace atl::kernels::pagerank {

inline constexpr double k_allowed_deviation = 1e-9;

/// Of vertices owned here, by row.
using expected_ranks = std::vector<double>;

/// The weight of each edge where none have any.
struct no_weights {
  double operator()(std::uint64_t, edge) const { return 1; }
};

/// The edges of all PEs, on PE 0. Every PE calls it.
template <class Id, edge_source Edges, class Weight>
task<edges_by_pe<Id>> all_edges_by_pe(const Edges& edges, const Weight& weight) {
  edges_by_pe<Id> all(static_cast<std::size_t>(pes()));
  const auto weighted = [&weight](std::uint64_t i, edge e) {
    return weighted_edge<Id>{static_cast<Id>(e.from), static_cast<Id>(e.to),
                             static_cast<double>(weight(i, e))};
  };
  const auto keep = [&all](std::size_t pe, std::span<const weighted_edge<Id>> some) {
    all[pe].insert(all[pe].end(), some.begin(), some.end());
  };
  co_await all_bring_edges(edges, weighted, keep);
  co_return all;
}

/// What the ranks must be by the edges of the input, of which each PE gives its part, with
/// `weight(i, edge)` of edge i, which arcs have by `turned`; where that is `no_weights`, duplicates
/// count once. PE 0 needs
/// memory for all arcs. `ended`: the iterations after which the run to be checked has ended, see
/// `serial_ranks`. Every PE calls it.
template <class Id, edge_source Edges, class Weight = no_weights>
task<expected_ranks> all_expected_ranks(const partition& shape, const Edges& edges,
                                        orientation arcs_are, parameters with,
                                        std::uint64_t ended = 0, const Weight& weight = {},
                                        turned_edges turned = turned_edges::add_up) {
  auto all_edges = co_await all_edges_by_pe<Id>(edges, weight);
  std::vector<std::vector<double>> dealt(static_cast<std::size_t>(pes()));
  if (my_pe() == 0) {
    serial_ranks<Id> serial(shape.vertices);
    constexpr bool weighted = !std::is_same_v<Weight, no_weights>;
    const auto weights = weighted ? std::optional(turned) : std::nullopt;
    co_await serial.take(all_edges, arcs_are, weights);
    all_edges.clear();
    co_await serial.rank(with, ended);
    for (int pe = 0; pe < pes(); ++pe)
      dealt[static_cast<std::size_t>(pe)].assign(
          serial.ranks().begin() + static_cast<std::ptrdiff_t>(shape.begin(pe)),
          serial.ranks().begin() + static_cast<std::ptrdiff_t>(shape.end(pe)));
  }
  const auto received = co_await all_to_all(dealt);
  co_return expected_ranks(received[0].begin(), received[0].end());
}

/// Ranks of all PEs that are not what was expected.
struct wrong_ranks {
  std::uint64_t vertices = 0;
  double deviation = 0;  ///< of any rank, over what it must be; also where that is small enough

  friend wrong_ranks operator+(const wrong_ranks& a, const wrong_ranks& b) {
    return {a.vertices + b.vertices, std::max(a.deviation, b.deviation)};
  }
};

/// Every PE calls it.
template <class Id>
task<wrong_ranks> all_compare(const rank_part<Id>& ranks, const expected_ranks& expected) {
  wrong_ranks found;
  const auto compare = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      const double rank = ranks.rank_of_row(row);
      if (rank == expected[row]) continue;
      const double deviation = std::abs(rank - expected[row]) / expected[row];
      if (!(deviation <= k_allowed_deviation)) ++found.vertices;  // no number is wrong, too
      found.deviation = std::max(found.deviation, deviation);
    }
  };
  co_await graph::in_stretches(0, expected.size(), compare);
  const auto sum = [](const auto& a, const auto& b) { return a + b; };
  co_return co_await all_reduce(found, sum);
}

}  // namespace atl::kernels::pagerank
