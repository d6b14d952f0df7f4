#pragma once
// Verifies ranks, by code that is independent of the kernel's code.

#include "atoll/graph/arc_weights.hpp"
#include "atoll/kernels/common/gather_edges.hpp"
#include "atoll/kernels/pagerank/ranks.hpp"

namespace atl::kernels::pagerank {

// A plain serial computation of the ranks of a whole graph on one PE. The verification compares
// ranks with the results of this computation.

/// An edge of the input with its weight.
template <class Id>
struct weighted_edge {
  Id from;
  Id to;
  double weight;
};

/// Lists of edges: one list for each PE that has sent edges.
template <class Id>
using edges_by_pe = std::vector<std::vector<weighted_edge<Id>>>;

/// A serial computation of ranks. One task of one PE uses the object.
template <class Id>
class serial_ranks {
 public:
  explicit serial_ranks(std::uint64_t vertices)
      : begins_(vertices + 1), ends_(vertices), ranks_(vertices) {}

  const std::vector<double>& ranks() const { return ranks_; }

  /// Takes the arcs of all edges, without self loops. If `weights` has a value, the weights of
  /// duplicate arcs are added up. If `weights` has no value, each arc is counted once. The task
  /// waits. The caller must call this function only once.
  task<> take(const edges_by_pe<Id>& edges, orientation arcs_are,
              std::optional<turned_edges> weights) {
    const auto count = [&](const weighted_edge<Id>&, graph::arc a) { ++begins_[a.source + 1]; };
    co_await for_each_arc(edges, arcs_are, count);
    for (std::uint64_t v = 0; v < ends_.size(); ++v) begins_[v + 1] += begins_[v];
    std::copy(begins_.begin(), begins_.end() - 1, ends_.begin());
    co_await graph::grow(arcs_, begins_.back());
    const auto place = [&](const weighted_edge<Id>& e, graph::arc a) {
      arcs_[ends_[a.source]++] = {static_cast<Id>(a.target), a.source == e.from, e.weight};
    };
    co_await for_each_arc(edges, arcs_are, place);
    const auto clean = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = begin; v < end; ++v) forget_duplicates(v, weights);
    };
    co_await graph::in_stretches(0, ends_.size(), clean, graph::k_sorted_rows);
  }

  /// Iterates, beginning with equal ranks of all vertices. A rounding error may decide whether the
  /// change is below the tolerance, because this code adds in another order than the kernel. If
  /// rounding decides, the computation ends after `ended` iterations, like the run to be checked.
  /// The task waits.
  task<> rank(parameters with, std::uint64_t ended) {
    const auto vertices = static_cast<double>(ranks_.size());
    ranks_.assign(ranks_.size(), 1 / vertices);
    std::vector<double> got(ranks_.size());
    double change = 0;
    const auto goes_on = [&](std::uint64_t done) {
      const double rounding = done == ended ? k_rounding : -k_rounding;
      return done < with.max_iterations && change >= with.tolerance * (1 + rounding);
    };
    for (std::uint64_t i = 0; i == 0 || goes_on(i); ++i) {
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
  static constexpr double k_rounding = 1e-9;

  struct target {
    Id to;
    bool is_of_own_edge;  ///< whether the arc has the direction of its edge in the input
    double weight;
  };

  template <class Visit>
  static task<> for_each_arc(const edges_by_pe<Id>& edges, orientation arcs_are, Visit visit) {
    for (const auto& of_pe : edges) {
      const auto some = [&](std::uint64_t begin, std::uint64_t end) {
        for (auto i = begin; i < end; ++i) {
          graph::for_each_arc({of_pe[i].from, of_pe[i].to}, arcs_are, [&](graph::arc a) {
            if (a.source != a.target) visit(of_pe[i], a);
          });
        }
      };
      co_await graph::in_stretches(0, of_pe.size(), some);
    }
  }

  /// Removes duplicates of the arcs of vertex `v`. If `weights` is `turned_edges::are_the_same`, an
  /// arc in the direction of its edge is kept, and a reversed duplicate of this arc is dropped.
  void forget_duplicates(std::uint64_t v, std::optional<turned_edges> weights) {
    const bool by_direction = weights == turned_edges::are_the_same;
    const auto first = arcs_.begin() + static_cast<std::ptrdiff_t>(begins_[v]);
    const auto last = arcs_.begin() + static_cast<std::ptrdiff_t>(ends_[v]);
    std::sort(first, last, [](const target& a, const target& b) {
      return std::pair(a.to, !a.is_of_own_edge) < std::pair(b.to, !b.is_of_own_edge);
    });
    auto kept = first;
    for (auto each = first; each != last; ++each) {
      if (kept == first || std::prev(kept)->to != each->to)
        *kept++ = *each;
      else if (weights &&
               !(by_direction && std::prev(kept)->is_of_own_edge && !each->is_of_own_edge))
        std::prev(kept)->weight += each->weight;
    }
    ends_[v] = static_cast<std::uint64_t>(kept - arcs_.begin());
  }

  /// Distributes the rank of vertex `v` to its neighbours. Returns the rank that no vertex gets,
  /// because `v` has no arcs with a weight above 0.
  double give_all(std::uint64_t v, std::vector<double>& got) const {
    double weight = 0;
    for (auto i = begins_[v]; i < ends_[v]; ++i) weight += arcs_[i].weight;
    if (weight == 0) return ranks_[v];
    for (auto i = begins_[v]; i < ends_[v]; ++i)
      got[arcs_[i].to] += ranks_[v] * (arcs_[i].weight / weight);
    return 0;
  }

  std::vector<target> arcs_;
  std::vector<std::uint64_t> begins_, ends_;  // for each vertex: the range of its arcs
  std::vector<double> ranks_;
};

// Verifies ranks from the edges of the input. PE 0 gathers the edges, ranks all vertices serially,
// and sends each PE its expected ranks. The relative error of every rank may be at most 1e-9. A
// different order of additions changes a rank by much less, because all terms are positive. Since
// each rank is below 1, the test is stricter than an absolute 1e-9. For ranks below the mean, the
// test is stricter than 1e-9 of the mean.

inline constexpr double k_allowed_deviation = 1e-9;

/// The expected ranks of the vertices of this PE, by row.
using expected_ranks = std::vector<double>;

/// The weight of each edge of a graph without weights.
struct no_weights {
  double operator()(std::uint64_t, edge) const { return 1; }
};

/// Gathers the edges of all PEs on PE 0, in one list for each PE. Every PE calls this function.
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
  co_await all_gather_edges(edges, weighted, keep);
  co_return all;
}

/// Returns the expected ranks of this PE's vertices. Each PE passes its part of the edges of the
/// input. `weight(i, edge)` is the weight of edge i; `turned` selects how reversed arcs get
/// weights. With `no_weights`, duplicates are counted once. PE 0 needs memory for all arcs. `ended`
/// is the number of iterations of the run to be checked (see `serial_ranks`). Every PE calls this
/// function.
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

/// The result of the comparison of the ranks of all PEs with the expected ranks. `vertices` is the
/// number of vertices with a wrong rank.
struct wrong_ranks {
  std::uint64_t vertices = 0;
  double deviation = 0;  ///< largest relative deviation of any rank, including allowed deviations

  friend wrong_ranks operator+(const wrong_ranks& a, const wrong_ranks& b) {
    return {a.vertices + b.vertices, std::max(a.deviation, b.deviation)};
  }
};

/// Compares the ranks with the expected ranks. Every PE calls this function.
template <class Id>
task<wrong_ranks> all_compare(const rank_part<Id>& ranks, const expected_ranks& expected) {
  wrong_ranks found;
  const auto compare = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      const double rank = ranks.rank_of_row(row);
      if (rank == expected[row]) continue;
      const double deviation = std::abs(rank - expected[row]) / expected[row];
      if (!(deviation <= k_allowed_deviation)) ++found.vertices;  // a NaN is wrong, too
      found.deviation = std::max(found.deviation, deviation);
    }
  };
  co_await graph::in_stretches(0, expected.size(), compare);
  const auto sum = [](const auto& a, const auto& b) { return a + b; };
  co_return co_await all_reduce(found, sum);
}

}  // namespace atl::kernels::pagerank
