#pragma once
// The ranks of a whole graph on one PE, as plainly as can be: what others are verified by.

#include "atoll/graph/arc_weights.hpp"
#include "atoll/kernels/pagerank/ranks.hpp"

namespace atl::kernels::pagerank {

/// Of the input, with what it weighs.
template <class Id>
struct weighted_edge {
  Id from;
  Id to;
  double weight;
};

/// Edges as they come from all PEs.
template <class Id>
using edges_by_pe = std::vector<std::vector<weighted_edge<Id>>>;

/// Used by one task of one PE.
template <class Id>
class serial_ranks {
 public:
  explicit serial_ranks(std::uint64_t vertices)
      : begins_(vertices + 1), ends_(vertices), ranks_(vertices) {}

  const std::vector<double>& ranks() const { return ranks_; }

  /// Takes the arcs of all edges, without self loops. By `weights`, what duplicates weigh is added
  /// up; without, each arc counts once. Blocks the task. Once.
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

  /// Iterates from equal ranks on. Who adds in another order may find the change on the other side
  /// of the tolerance by a rounding error: then this ends after as many iterations as that,
  /// `ended`. Blocks the task.
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
    bool is_of_own_edge;  ///< of one that leads where the arc does
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

  /// Where edges in both directions are the same, those in the direction of the arc come first, and
  /// the others are forgotten behind them.
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

  /// Returns the rank that nobody gets.
  double give_all(std::uint64_t v, std::vector<double>& got) const {
    double weight = 0;
    for (auto i = begins_[v]; i < ends_[v]; ++i) weight += arcs_[i].weight;
    if (weight == 0) return ranks_[v];
    for (auto i = begins_[v]; i < ends_[v]; ++i)
      got[arcs_[i].to] += ranks_[v] * (arcs_[i].weight / weight);
    return 0;
  }

  std::vector<target> arcs_;
  std::vector<std::uint64_t> begins_, ends_;  // by vertex, of its arcs
  std::vector<double> ranks_;
};

}  // namespace atl::kernels::pagerank
