#pragma once
// Makes the first level from the rows of the input graph. Weights become integers.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/common/source_rows.hpp"
#include "atoll/kernels/communities/level.hpp"
#include "atoll/random.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace atl::kernels::communities {

/// Converts weights to integers. A weight becomes the integer that is nearest to the weight times
/// `scale` and `rest`. Both factors are powers of 2. `rest` differs from 1 only if all weights are
/// so small that no double could be the product of the factors.
struct weight_unit {
  bool weighted = false;
  double scale = 1;
  double rest = 1;

  std::int64_t of(double weight) const { return std::llround(weight * scale * rest); }
};

/// Properties of the weights of all arcs.
struct weight_facts {
  double largest = 0;
  std::uint64_t arcs = 0;
  bool weighted = false;
  bool whole = true;              ///< whether all weights are integers
  std::uint64_t differences = 0;  ///< 0 if the two arcs of each edge have equal weights

  static weight_facts of_both(const weight_facts& a, const weight_facts& b) {
    return {std::max(a.largest, b.largest), a.arcs + b.arcs, a.weighted || b.weighted,
            a.whole && b.whole, a.differences + b.differences};
  }
};

/// Adds the properties of the arcs of a row to `to`. A hash of each arc is computed from the arc's
/// endpoints and weight. The hash is added to `differences` if the target is the larger endpoint,
/// and subtracted otherwise. The hashes of the two arcs of an edge therefore cancel if the arcs
/// have equal weights.
template <class Id>
void add_facts(const graph_part<Id>& part, std::uint64_t row, weight_facts& to) {
  const auto weights = part.weights_of_row(row);
  const std::uint64_t vertex = part.vertex_of_row(row);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::uint64_t target = part.row(row)[i];
    const std::uint64_t ends = random_key(std::min(vertex, target), std::max(vertex, target));
    const std::uint64_t mark = random_at(ends, std::bit_cast<std::uint64_t>(weights[i]));
    to.differences += vertex < target ? mark : std::uint64_t{0} - mark;
    to.largest = std::max(to.largest, weights[i]);
    to.whole = to.whole && weights[i] == std::floor(weights[i]);
  }
}

/// Returns the properties of the weights of all arcs. Every PE calls this function.
template <class Id>
task<weight_facts> all_weight_facts(const graph_part<Id>& part) {
  weight_facts mine;
  mine.arcs = part.arcs();
  mine.weighted = !part.weights.empty();
  if (mine.weighted) {
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row) add_facts(part, row, mine);
    };
    co_await graph::in_stretches(0, part.vertices, add, k_rows);
  }
  co_return co_await all_reduce(mine, &weight_facts::of_both);
}

/// Returns the unit by which weights become integers. If all weights are integers and their sum
/// cannot overflow, the unit is 1. With the returned unit, the sum of all integer weights stays
/// below 2^61.
inline weight_unit unit_of(const weight_facts& facts) {
  if (!facts.weighted || facts.largest == 0) return {facts.weighted};
  constexpr int bits = 60;
  constexpr int most = 1000;  // twice 2^1000 is a double, too
  const double sum = facts.largest * static_cast<double>(facts.arcs);
  const int magnitude =
      std::isfinite(sum) ? std::ilogb(sum)
                         : std::ilogb(facts.largest) + static_cast<int>(std::bit_width(facts.arcs));
  const int exponent = bits - magnitude - 1;
  if (facts.whole && exponent >= 0) return {true};
  const int first = std::min(exponent, most);
  return {true, std::ldexp(1.0, first), std::ldexp(1.0, exponent - first)};
}

template <class Id>
class input_level {
 public:
  input_level(const graph_part<Id>& part, weight_unit unit) : part_(part), unit_(unit) {}

  /// Returns the first level, with the rows of the input. If `both_ways` is true, the row of a
  /// vertex also has the sources of arcs to the vertex. `sources` is scratch memory, which must be
  /// empty before the call and is empty afterwards. Every PE calls this function.
  task<level<Id>> all_make(bool both_ways, per_pe<source_rows<Id>> sources);

 private:
  task<> all_join_sources(per_pe<source_rows<Id>> sources);
  void append(std::span<const Id> targets, std::span<const double> weights);

  const graph_part<Id>& part_;
  weight_unit unit_;
  level<Id> made_;
};

template <class Id>
void input_level<Id>::append(std::span<const Id> targets, std::span<const double> weights) {
  made_.own_targets.insert(made_.own_targets.end(), targets.begin(), targets.end());
  if (!unit_.weighted) return;
  for (const double weight : weights) made_.own_weights.push_back(unit_.of(weight));
}

/// Makes a row for each vertex from the targets of its arcs and the sources of arcs that lead to
/// the vertex.
template <class Id>
task<> input_level<Id>::all_join_sources(per_pe<source_rows<Id>> sources) {
  co_await all_make_source_rows(part_, sources);
  auto& of_targets = sources.local();
  const std::uint64_t arcs = part_.arcs() + of_targets.sources.size();
  made_.own_targets.reserve(arcs);
  if (unit_.weighted) made_.own_weights.reserve(arcs);
  made_.own_offsets.assign(1, 0);
  const auto join = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      append(part_.row(row),
             unit_.weighted ? part_.weights_of_row(row) : std::span<const double>());
      append(of_targets.row(row), of_targets.weights.empty() ? std::span<const double>()
                                                             : of_targets.weights_of_row(row));
      made_.own_offsets.push_back(made_.own_targets.size());
    }
  };
  co_await graph::in_stretches(0, part_.vertices, join, k_rows);
  of_targets = {};
  made_.show_own();
}

template <class Id>
task<level<Id>> input_level<Id>::all_make(bool both_ways, per_pe<source_rows<Id>> sources) {
  made_.shape = part_.shape;
  made_.first = part_.first_vertex;
  if (both_ways) {
    co_await all_join_sources(sources);
    co_return std::move(made_);
  }
  made_.offsets = std::span(part_.offsets).first(part_.vertices + 1);
  made_.targets = part_.targets;
  if (unit_.weighted) {
    made_.own_weights.reserve(part_.arcs());
    const auto convert = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) made_.own_weights.push_back(unit_.of(part_.weights[i]));
    };
    co_await graph::in_stretches(0, part_.arcs(), convert);
    made_.weights = made_.own_weights;
  }
  co_return std::move(made_);
}

/// Returns the sum of the weights of each row.
template <class Id>
std::vector<std::int64_t> strengths_here(const level<Id>& on) {
  std::vector<std::int64_t> strengths;
  for (std::uint64_t row = 0; row < on.rows(); ++row) {
    std::int64_t strength = 0;
    on.for_each_arc(row, [&](Id, std::int64_t weight) { strength += weight; });
    strengths.push_back(strength);
  }
  return strengths;
}

}  // namespace atl::kernels::communities
