#pragma once
// The Leiden algorithm over all PEs (Traag, Waltman, van Eck 2019). An iteration performs local
// moving, refinement and aggregation on one level after another. Each iteration starts from the
// communities that the previous iteration found.
//
// The result depends only on the graph and on the options. All vertices of one class decide before
// any of them moves (classes.hpp). All sums are integers, so the order of arcs does not matter.
// Whether a graph is copied to every PE depends on its number of arcs, and not on the number of
// PEs.

#include "atoll/kernels/communities/aggregate.hpp"
#include "atoll/kernels/communities/connect.hpp"
#include "atoll/kernels/communities/input.hpp"
#include "atoll/kernels/communities/move.hpp"
#include "atoll/kernels/communities/refine.hpp"

#include <functional>

namespace atl::kernels::communities {

struct parameters {
  /// Whether the constant Potts model is maximised instead of modularity.
  bool constant_potts = false;
  double resolution = 1;
  std::uint64_t seed = 1;
  std::uint64_t iterations = 3;
  /// A graph with fewer arcs than this number is copied to every PE.
  std::uint64_t whole_below = 0;
};

/// The result of the algorithm, the same on all PEs.
struct outcome {
  std::uint64_t count = 0;       ///< number of communities
  std::uint64_t levels = 0;      ///< number of levels of the iteration that found the communities
  std::uint64_t iterations = 0;  ///< number of iterations that improved the communities
  double modularity = 0;
  double quality = 0;
};

/// Replaces each label by the first vertex that has the label. Returns the number of different
/// labels.
template <class Id>
std::uint64_t label_by_first(huge_vector<Id>& labels) {
  constexpr Id none = static_cast<Id>(~Id{0});
  huge_vector<Id> first(labels.size(), none);
  std::uint64_t count = 0;
  for (std::uint64_t v = 0; v < labels.size(); ++v) {
    Id& of_label = first[labels[v]];
    if (of_label == none) {
      of_label = static_cast<Id>(v);
      ++count;
    }
    labels[v] = of_label;
  }
  return count;
}

/// Adds up the values of the vertices of each community. Squares the total of each community, and
/// returns the sum of the squares.
template <class Id>
double sum_of_squares(const huge_vector<std::int64_t>& values, const huge_vector<Id>& community) {
  huge_vector<std::int64_t> totals(values.size());
  for (std::uint64_t v = 0; v < values.size(); ++v) totals[community[v]] += values[v];
  uint128 sum = 0;
  for (const std::int64_t total : totals)
    sum += static_cast<uint128>(total) * static_cast<uint128>(total);
  return static_cast<double>(sum);
}

template <class Id>
class leiden {
 public:
  /// `unit` is the integer weight in `input` that stands for the weight 1.
  leiden(level<Id> input, const parameters& with, double unit)
      : input_(std::move(input)), with_(with), unit_(unit) {}

  /// Finds communities. `progress` is called with the fraction of the work that is done. Every PE
  /// calls this function and gets the same result.
  task<outcome> all_run(const std::function<void(double)>& progress);

  /// Returns the smallest vertex of the community of each vertex of the whole graph.
  const huge_vector<Id>& labels() const { return input_.community; }

 private:
  task<> all_prepare();
  task<std::uint64_t> all_iterate(std::uint64_t iteration);
  task<bool> all_coarsen(level<Id>& on, level<Id>& next, std::uint64_t key);
  task<> all_label(const level<Id>& last);
  task<outcome> all_judge() const;

  level<Id> input_;
  parameters with_;
  double unit_;
  double all_weights_ = 0;  ///< sum of the weights of all arcs
  double coefficient_ = 0;
  /// For each row of the input: the vertex of the present level that contains the vertex of the
  /// row.
  std::vector<Id> places_;
};

template <class Id>
task<> leiden<Id>::all_prepare() {
  if (co_await all_count_arcs(input_) < with_.whole_below) co_await all_bring_everywhere(input_);
  const auto strengths = strengths_here(input_);
  std::int64_t sum = 0;
  for (const std::int64_t strength : strengths) sum += strength;
  if (!input_.everywhere) sum = co_await all_reduce(sum, graph::k_sum);
  all_weights_ = static_cast<double>(sum);
  if (with_.constant_potts)
    input_.mass.assign(input_.vertices(), 1);
  else if (input_.everywhere)
    input_.mass.assign(strengths.begin(), strengths.end());
  else
    input_.mass = co_await all_join(std::span<const std::int64_t>(strengths));
  coefficient_ = with_.constant_potts ? with_.resolution * unit_
                                      : with_.resolution / std::max(all_weights_, 1.0);
  input_.community.resize(input_.vertices());
  std::iota(input_.community.begin(), input_.community.end(), Id{0});
}

/// Performs local moving and refinement on the level `on`, and makes the next level. If the next
/// level would not be smaller, returns false, because `on` is the last level.
template <class Id>
task<bool> leiden<Id>::all_coarsen(level<Id>& on, level<Id>& next, std::uint64_t key) {
  huge_vector<Id> parts;
  {
    local_moving<Id> moving(on, coefficient_, random_at(key, 0));
    co_await moving.all_move();
    refinement<Id> refining(on, moving.totals(), coefficient_, random_at(key, 1));
    parts = co_await refining.all_refine();
  }
  const std::uint64_t count = number_by_first(parts);
  if (count == on.vertices()) co_return false;
  aggregation<Id> aggregating(on, parts, count);
  next = co_await aggregating.all_aggregate();
  for (Id& place : places_) place = parts[place];
  if (!next.everywhere && co_await all_count_arcs(next) < with_.whole_below)
    co_await all_bring_everywhere(next);
  co_return true;
}

/// Stores the communities of the level `last` in the input. Every vertex of the input gets the
/// community of the vertex of `last` that contains it.
template <class Id>
task<> leiden<Id>::all_label(const level<Id>& last) {
  std::vector<Id> mine;
  for (const Id place : places_) mine.push_back(last.community[place]);
  if (input_.everywhere)
    input_.community.assign(mine.begin(), mine.end());
  else
    input_.community = co_await all_join(std::span<const Id>(mine));
}

/// Performs one iteration, which starts from the communities of the input and replaces them.
/// Returns the number of levels.
template <class Id>
task<std::uint64_t> leiden<Id>::all_iterate(std::uint64_t iteration) {
  places_.resize(input_.rows());
  std::iota(places_.begin(), places_.end(), input_.vertex_of(0));
  const std::uint64_t key = random_key(with_.seed, iteration);
  level<Id> coarse;
  level<Id>* on = &input_;
  std::uint64_t levels = 1;
  for (level<Id> next; co_await all_coarsen(*on, next, random_at(key, levels)); ++levels) {
    coarse = std::move(next);
    on = &coarse;
  }
  connection<Id> connecting(*on);
  co_await connecting.all_connect();
  co_await all_label(*on);
  co_return levels;
}

/// Returns the modularity and the quality of the communities of the input. The other members of the
/// result are 0.
template <class Id>
task<outcome> leiden<Id>::all_judge() const {
  outcome found;
  std::int64_t inside = 0;
  const auto& community = input_.community;
  for (std::uint64_t row = 0; row < input_.rows(); ++row)
    input_.for_each_arc(row, [&](Id target, std::int64_t weight) {
      inside += community[target] == community[input_.vertex_of(row)] ? weight : 0;
    });
  if (!input_.everywhere) inside = co_await all_reduce(inside, graph::k_sum);
  const double weight_inside = static_cast<double>(inside);
  if (!with_.constant_potts) {
    const double squares = sum_of_squares(input_.mass, community);
    if (all_weights_ > 0)
      found.modularity =
          weight_inside / all_weights_ - with_.resolution * squares / (all_weights_ * all_weights_);
    found.quality = found.modularity;
    co_return found;
  }
  const auto vertices = static_cast<double>(input_.vertices());
  const double pairs = (sum_of_squares(input_.mass, community) - vertices) / 2;
  found.quality = weight_inside / 2 / unit_ - with_.resolution * pairs;
  const auto here = strengths_here(input_);
  huge_vector<std::int64_t> strengths(here.begin(), here.end());
  if (!input_.everywhere) strengths = co_await all_join(std::span<const std::int64_t>(here));
  if (all_weights_ > 0)
    found.modularity = weight_inside / all_weights_ -
                       sum_of_squares(strengths, community) / (all_weights_ * all_weights_);
  co_return found;
}

template <class Id>
task<outcome> leiden<Id>::all_run(const std::function<void(double)>& progress) {
  co_await all_prepare();
  outcome best;
  huge_vector<Id> best_labels;
  for (std::uint64_t iteration = 0; iteration < with_.iterations; ++iteration) {
    const std::uint64_t levels = co_await all_iterate(iteration);
    const std::uint64_t count = label_by_first(input_.community);
    outcome found = co_await all_judge();
    found.count = count;
    found.levels = levels;
    found.iterations = iteration + 1;
    if (progress)
      progress(static_cast<double>(iteration + 1) / static_cast<double>(with_.iterations));
    if (iteration > 0 && found.quality <= best.quality) break;
    best = found;
    best_labels = input_.community;
  }
  input_.community = std::move(best_labels);
  co_return best;
}

/// Handles to the graph and to the memory that `all_run` needs on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<source_rows<Id>> sources;

  static task<workspace> make(distributed_graph<Id> graph) {
    workspace made{graph, co_await per_pe<source_rows<Id>>::make()};
    co_return made;
  }
  task<> destroy() const { return sources.destroy(); }
};

/// The result of one run.
struct run_outcome {
  outcome found;
  double seconds = 0;
};

/// Finds communities, and stores the label of each owned vertex in `labels`. `facts` describes the
/// weights of the graph. The measured time includes the preparation of rows. Every PE calls this
/// function.
template <class Id>
task<run_outcome> all_run(workspace<Id> on, weight_facts facts, parameters with,
                          std::function<void(double)> progress, std::span<std::uint64_t> labels) {
  const graph_part<Id>& part = on.graph.local();
  co_await all_barrier();
  const auto begin = now();
  const bool undirected = part.arcs_are == orientation::undirected;
  const bool both_ways = !undirected || facts.differences != 0;
  const weight_unit unit = unit_of(facts);
  input_level<Id> input(part, unit);
  auto rows = co_await input.all_make(both_ways, on.sources);
  leiden<Id> run(std::move(rows), with, unit.scale * (undirected && both_ways ? 2 : 1));
  run_outcome all;
  all.found = co_await run.all_run(progress);
  const auto mine = run.labels().begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
  std::copy(mine, mine + static_cast<std::ptrdiff_t>(part.vertices), labels.begin());
  const auto later = [](double a, double b) { return std::max(a, b); };
  all.seconds = co_await all_reduce(seconds_since(begin), later);
  co_return all;
}

// The templates are compiled once for 32-bit and once for 64-bit vertex ids, in communities.cpp.
#define ATOLL_COMMUNITIES(kind, Id)                                                                \
  kind template struct workspace<Id>;                                                              \
  kind template task<weight_facts> all_weight_facts(const graph_part<Id>&);                        \
  kind template task<run_outcome> all_run(workspace<Id>, weight_facts, parameters,                 \
                                          std::function<void(double)>, std::span<std::uint64_t>);
ATOLL_COMMUNITIES(extern, std::uint32_t)
ATOLL_COMMUNITIES(extern, std::uint64_t)

}  // namespace atl::kernels::communities
