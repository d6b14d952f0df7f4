#pragma once
// This file examines the weights of all arcs, and defines how a search reads weights.

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/vertex_array.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace atl::kernels::shortest_paths {

/// The weights of the arcs of a graph without weights: 1 for each arc.
struct unit_weights {
  template <class Id>
  unit_weights(const graph_part<Id>&, std::uint64_t) {}
  double operator[](std::uint64_t) const { return 1; }
};

/// The weights of the arcs of one row.
class row_weights {
 public:
  template <class Id>
  row_weights(const graph_part<Id>& part, std::uint64_t row)
      : begin_(part.weights.data() + part.offsets[row]) {}
  double operator[](std::uint64_t i) const { return begin_[i]; }

 private:
  const double* begin_;
};

/// Facts about the weights of all arcs.
struct weight_facts {
  std::uint64_t arcs = 0;
  double sum = 0;
  double most = 0;
  bool are_integers = true;
  // The first arc with an invalid weight: a weight that is negative, infinite, or not a number.
  vertex_id bad_from = no_vertex;
  vertex_id bad_to = no_vertex;
  double bad_weight = 0;

  static weight_facts of_both(const weight_facts& a, const weight_facts& b) {
    weight_facts both = a.bad_from <= b.bad_from ? a : b;
    both.arcs = a.arcs + b.arcs;
    both.sum = a.sum + b.sum;
    both.most = std::max(a.most, b.most);
    both.are_integers = a.are_integers && b.are_integers;
    return both;
  }
};

/// Returns the facts about the weights of a row.
template <class Id>
weight_facts facts_of_row(const graph_part<Id>& part, std::uint64_t row) {
  weight_facts facts;
  const auto targets = part.row(row);
  facts.arcs = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double weight = part.weights_of_row(row)[i];
    facts.sum += weight;
    facts.most = std::max(facts.most, weight);
    facts.are_integers &= std::trunc(weight) == weight;
    const bool is_good = weight >= 0 && weight <= std::numeric_limits<double>::max();
    if (is_good || facts.bad_from != no_vertex) continue;
    facts.bad_from = part.first_vertex + row;
    facts.bad_to = targets[i];
    facts.bad_weight = weight;
  }
  return facts;
}

/// Examines the weights of all arcs. Every PE calls this function. Every PE gets the same result.
template <class Id>
task<weight_facts> all_look_at_weights(const graph_part<Id>& part, bool weighted) {
  weight_facts mine;
  mine.arcs = part.arcs();
  if (!weighted) {
    mine.sum = static_cast<double>(mine.arcs);
    mine.most = 1;
  } else {
    mine.arcs = 0;
    const auto look = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row)
        mine = weight_facts::of_both(mine, facts_of_row(part, row));
    };
    co_await graph::in_stretches(0, part.vertices, look);
  }
  co_return co_await all_reduce(mine, &weight_facts::of_both);
}

/// Returns the width of buckets for a graph with `vertices` vertices. The width is twice the mean
/// weight, divided by the mean number of arcs of a vertex. For weights that are uniformly
/// distributed from 0 on, the result equals the width of Meyer and Sanders: the largest weight
/// divided by the degree.
inline double width_for(const weight_facts& facts, std::uint64_t vertices) {
  constexpr double k_arcs_within = 2;
  if (facts.arcs == 0 || !(facts.sum > 0)) return 1;
  const double arcs = static_cast<double>(facts.arcs);
  const double degree = std::max(1.0, arcs / static_cast<double>(vertices));
  const double width = k_arcs_within * facts.sum / arcs / degree;
  const double least = std::max(facts.most * 0x1p-15, std::numeric_limits<double>::min() * 4);
  return std::clamp(width, least, std::max(least, std::numeric_limits<double>::max()));
}

}  // namespace atl::kernels::shortest_paths
