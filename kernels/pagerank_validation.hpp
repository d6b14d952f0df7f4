#pragma once
// Whether ranks are right, found out from the edges of the input by code that shares nothing with
// the kernels: PE 0 gathers them, ranks all vertices by itself, as plainly as can be, and deals out
// what it found. Every rank must agree with that to 1e-9 of itself: all terms are positive, so that
// no order of additions comes to anything else. That is stricter than 1e-9 of the mean rank for all
// vertices below it, and than an absolute 1e-9 for all.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/pagerank_ranks.hpp"

namespace atl::kernels::pagerank {

inline constexpr double k_allowed_deviation = 1e-9;

/// Of vertices owned here, by row.
using expected_ranks = std::vector<double>;

template <class Id>
struct weighted_arc {
  Id from;
  Id to;
  double weight;
};

/// All arcs of a graph, each once, and the ranks of its vertices. On one PE; blocks the task.
template <class Id>
class serial_ranks {
 public:
  /// `weighted`: those of duplicates are added up; else each arc counts once.
  serial_ranks(std::uint64_t vertices, std::vector<weighted_arc<Id>> arcs, bool weighted)
      : arcs_(std::move(arcs)), weighted_(weighted), ends_(vertices), ranks_(vertices) {}

  const std::vector<double>& ranks() const { return ranks_; }

  /// Sorts arcs by their source, and forgets duplicates and self loops.
  task<> sort() {
    std::vector<weighted_arc<Id>> sorted;
    co_await graph::grow(sorted, arcs_.size());
    std::vector<std::uint64_t> next(ends_.size() + 1);
    const auto count = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) ++next[arcs_[i].from + std::uint64_t{1}];
    };
    co_await graph::in_stretches(0, arcs_.size(), count);
    for (std::uint64_t v = 0; v < ends_.size(); ++v) next[v + 1] += next[v];
    const auto place = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) sorted[next[arcs_[i].from]++] = arcs_[i];
    };
    co_await graph::in_stretches(0, arcs_.size(), place);
    arcs_.clear();
    const auto clean = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = begin; v < end; ++v) keep(sorted, v == 0 ? 0 : next[v - 1], next[v], v);
    };
    co_await graph::in_stretches(0, ends_.size(), clean, graph::k_sorted_rows);
  }

  task<> rank(parameters with) {
    const auto vertices = static_cast<double>(ranks_.size());
    ranks_.assign(ranks_.size(), 1 / vertices);
    std::vector<double> got(ranks_.size());
    double change = 0;
    for (std::uint64_t i = 0; i < with.max_iterations && (i == 0 || change >= with.tolerance);
         ++i) {
      double lost = 0;
      const auto give = [&](std::uint64_t begin, std::uint64_t end) {
        for (auto v = begin; v < end; ++v) lost += give_all(v, got);
      };
      co_await graph::in_stretches(0, ranks_.size(), give, graph::k_sorted_rows);
      change = 0;
      const auto take = [&](std::uint64_t begin, std::uint64_t end) {
        for (auto v = begin; v < end; ++v) {
          const double rank =
              (1 - with.damping) / vertices + with.damping * (got[v] + lost / vertices);
          change += std::abs(rank - ranks_[v]);
          ranks_[v] = rank;
          got[v] = 0;
        }
      };
      co_await graph::in_stretches(0, ranks_.size(), take);
    }
  }

 private:
  /// The arcs of a vertex, which stand from `begin` to `end`.
  void keep(std::vector<weighted_arc<Id>>& sorted, std::uint64_t begin, std::uint64_t end,
            std::uint64_t v) {
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(first, last, [](const auto& a, const auto& b) { return a.to < b.to; });
    const std::uint64_t kept = arcs_.size();
    for (auto each = first; each != last; ++each) {
      if (each->to == v) continue;
      if (arcs_.size() == kept || arcs_.back().to != each->to)
        arcs_.push_back(*each);
      else if (weighted_)
        arcs_.back().weight += each->weight;
    }
    ends_[v] = arcs_.size();
  }

  /// Returns the rank that nobody gets.
  double give_all(std::uint64_t v, std::vector<double>& got) const {
    const std::uint64_t begin = v == 0 ? 0 : ends_[v - 1];
    double weight = 0;
    for (auto i = begin; i < ends_[v]; ++i) weight += arcs_[i].weight;
    if (weight == 0) return ranks_[v];
    for (auto i = begin; i < ends_[v]; ++i)
      got[arcs_[i].to] += ranks_[v] * (arcs_[i].weight / weight);
    return 0;
  }

  std::vector<weighted_arc<Id>> arcs_;
  bool weighted_;
  std::vector<std::uint64_t> ends_;  // by vertex, of its arcs
  std::vector<double> ranks_;
};

/// The weight of each edge where none have any.
struct no_weights {
  double operator()(std::uint64_t, edge) const { return 1; }
};

/// Arcs of all PEs' edges, on PE 0. Every PE calls it.
template <class Id, edge_source Edges, class Weight>
task<std::vector<weighted_arc<Id>>> all_bring_arcs(const Edges& edges, const Weight& weight,
                                                   orientation arcs_are) {
  std::vector<weighted_arc<Id>> mine;
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) {
      const edge e = edges(i);
      const auto weighs = static_cast<double>(weight(i, e));
      graph::for_each_arc(e, arcs_are, [&](graph::arc a) {
        mine.push_back({static_cast<Id>(a.source), static_cast<Id>(a.target), weighs});
      });
    }
  };
  co_await graph::in_stretches(0, edges.size(), add);
  std::vector<weighted_arc<Id>> all;
  for (const auto& of_pe : co_await all_gather_to(0, std::span<const weighted_arc<Id>>(mine))) {
    const auto append = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) all.push_back(of_pe[i]);
    };
    co_await graph::in_stretches(0, of_pe.size(), append);
  }
  co_return all;
}

/// What the ranks must be by the edges of the input, of which each PE gives its part, with
/// `weight(i, edge)` of edge i; where that is `no_weights`, duplicates count once. PE 0 needs
/// memory for all arcs. Every PE calls it.
template <class Id, edge_source Edges, class Weight = no_weights>
task<expected_ranks> all_expected_ranks(const partition& shape, const Edges& edges,
                                        orientation arcs_are, parameters with,
                                        const Weight& weight = {}) {
  auto arcs = co_await all_bring_arcs<Id>(edges, weight, arcs_are);
  std::vector<std::vector<double>> dealt(static_cast<std::size_t>(pes()));
  if (my_pe() == 0) {
    serial_ranks<Id> serial(shape.vertices, std::move(arcs), !std::is_same_v<Weight, no_weights>);
    co_await serial.sort();
    co_await serial.rank(with);
    for (int pe = 0; pe < pes(); ++pe)
      dealt[static_cast<std::size_t>(pe)].assign(
          serial.ranks().begin() + static_cast<std::ptrdiff_t>(shape.begin(pe)),
          serial.ranks().begin() + static_cast<std::ptrdiff_t>(shape.end(pe)));
  }
  auto received = co_await all_to_all(dealt);
  co_return std::move(received[0]);
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
