#pragma once
// The ranks of the vertices of one PE, and a sort by size.

#include "atoll/collectives.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace atl::kernels::pagerank {

// The next functions sort items by size, large sizes first. Large items are used most often, and
// are adjacent in memory after the sort.

/// Returns the numbers below `count`, in order. The task waits.
template <class Id>
task<huge_vector<Id>> numbers_below(std::uint64_t count) {
  huge_vector<Id> numbers;
  co_await graph::grow(numbers, count);
  const auto set = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) numbers[i] = static_cast<Id>(i);
  };
  co_await graph::in_stretches(0, count, set);
  co_return numbers;
}

/// Sorts by `size_of(number)`, large sizes first. The sort is stable. Sizes of at least 4096 are
/// treated as equal, because few items are so large. The task waits.
template <class Id, class SizeOf>
task<> order_by_size(huge_vector<Id>& numbers, SizeOf size_of) {
  constexpr std::uint64_t largest_told_apart = 4096;
  std::vector<std::uint64_t> places(largest_told_apart + 2);
  const auto class_of = [&](Id number) {
    return largest_told_apart - std::min<std::uint64_t>(size_of(number), largest_told_apart);
  };
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) ++places[class_of(numbers[i]) + 1];
  };
  co_await graph::in_stretches(0, numbers.size(), count);
  for (std::uint64_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  huge_vector<Id> ordered;
  co_await graph::grow(ordered, numbers.size());
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) ordered[places[class_of(numbers[i])]++] = numbers[i];
  };
  co_await graph::in_stretches(0, numbers.size(), place);
  numbers.swap(ordered);
}

// The ranks of the vertices of one PE. Each iteration first adds up the contributions, and then
// updates the ranks. A vertex passes shares of its rank along its arcs. The rank of the vertices
// without arcs is divided equally among all vertices (Page and others, 1998; Jacobi's method).

struct parameters {
  double damping = 0.85;
  /// Iterations end when the sum of the changes of all ranks is below the tolerance.
  double tolerance = 1e-4;
  std::uint64_t max_iterations = 100;  ///< largest number of iterations, at least 1
};

/// The state in which a run ended.
struct convergence {
  std::uint64_t iterations = 0;
  double residual = 0;  ///< change of the ranks in the last iteration, summed over vertices
};

/// Sums over the vertices of all PEs.
struct totals {
  double change = 0;
  double dangling = 0;  ///< sum of the ranks of the vertices without arcs
};

/// The ranks on one PE. Each vertex has a slot, the index of its values in arrays. The parameter
/// `ordered` of `all_prepare` chooses the order of the slots. If `ordered` is false, slots are in
/// the order of rows. If `ordered` is true, slots are in descending order of the number of arcs, so
/// that the values that are read most often are in few cache lines.
template <class Id>
class rank_part {
 public:
  huge_vector<Id> slots;         ///< for each row: the slot of the vertex, its index in `received`
  huge_vector<double> received;  ///< for each slot: the sum of the contributions of an iteration
  /// For each vertex: the contribution that the vertex gives over an arc of weight 1. Contributions
  /// of split hubs come first; the rows of split hubs are divided over all PEs. The contributions
  /// of the owned vertices follow, by slot.
  huge_vector<double> contributions;
  /// A function that is called with the change of the ranks after each iteration. The function may
  /// be empty.
  std::function<void(std::uint64_t iterations, double change)> progress;

  /// Prepares the ranks once for a graph. `ordered` chooses the order of the slots. Every PE calls
  /// this function.
  task<> all_prepare(const graph_part<Id>& graph, bool ordered);

  /// Sets all ranks to the same value. Every PE calls this function before it iterates.
  task<> all_start();

  /// Computes new ranks from the received sums. Every PE calls this function after all PEs have
  /// received their sums. The call returns when all PEs have called this function.
  task<> all_update(const parameters& with);

  /// Returns the sums of the last update.
  const totals& sums() const { return sums_; }

  double rank_of_row(std::uint64_t row) const { return ranks_[slots[row]]; }
  std::uint64_t hubs() const { return own_hubs_.size(); }

  /// Returns the index in `contributions` for the vertex of `row`.
  std::uint64_t source_of_row(std::uint64_t row) const {
    const std::uint64_t vertices = slots.size();
    return row < vertices ? hubs() + slots[row] : row - vertices;
  }

 private:
  static constexpr std::uint64_t k_elsewhere = ~std::uint64_t{0};

  task<> set_slots(const graph_part<Id>& graph, bool ordered);
  task<> all_set_shares(const graph_part<Id>& graph);
  task<> all_publish(totals mine);
  void update_stretch(std::uint64_t begin, std::uint64_t end, double everybody, double damping,
                      totals& mine);

  std::uint64_t all_vertices_ = 0;
  huge_vector<double> ranks_;  // indexed by slot
  // For each slot: the share of the rank that an arc of weight 1 gets; 0 if the vertex has no arcs.
  huge_vector<double> shares_;
  std::vector<std::uint64_t> own_hubs_;  // for each split hub: its slot on this PE, or k_elsewhere
                                         // if another PE owns the hub
  totals sums_;
};

template <class Id>
task<> rank_part<Id>::all_prepare(const graph_part<Id>& graph, bool ordered) {
  all_vertices_ = graph.shape.vertices;
  co_await set_slots(graph, ordered);
  own_hubs_.assign(graph.shape.hubs.size(), k_elsewhere);
  for (std::uint64_t h = 0; h < hubs(); ++h) {
    const std::uint64_t row = graph.shape.hubs[h] - graph.first_vertex;
    if (row < graph.vertices) own_hubs_[h] = slots[row];
  }
  co_await all_set_shares(graph);
  ranks_.resize(graph.vertices);
  received.resize(graph.vertices);
  contributions.resize(hubs() + graph.vertices);
}

template <class Id>
task<> rank_part<Id>::set_slots(const graph_part<Id>& graph, bool ordered) {
  auto rows = co_await numbers_below<Id>(graph.vertices);
  if (ordered) co_await order_by_size(rows, [&](Id row) { return graph.row(row).size(); });
  slots.resize(graph.vertices);
  const auto invert = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto slot = begin; slot < end; ++slot) slots[rows[slot]] = static_cast<Id>(slot);
  };
  co_await graph::in_stretches(0, graph.vertices, invert);
}

/// Returns the sum of the weights of the arcs in the part of `row` on this PE. In a graph without
/// weights, each arc has weight 1.
template <class Id>
double weight_of_row(const graph_part<Id>& graph, std::uint64_t row) {
  if (graph.weights.empty()) return static_cast<double>(graph.row(row).size());
  double sum = 0;
  for (const double weight : graph.weights_of_row(row)) sum += weight;
  return sum;
}

template <class Id>
task<> rank_part<Id>::all_set_shares(const graph_part<Id>& graph) {
  const auto share = [](double weight) { return weight == 0 ? 0 : 1 / weight; };
  shares_.resize(graph.vertices);
  const auto set = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) shares_[slots[row]] = share(weight_of_row(graph, row));
  };
  co_await graph::in_stretches(0, graph.vertices, set);
  std::vector<double> of_hubs;
  for (std::uint64_t h = 0; h < hubs(); ++h)
    of_hubs.push_back(weight_of_row(graph, graph.vertices + h));
  of_hubs = co_await all_reduce(std::move(of_hubs), std::plus<>());
  for (std::uint64_t h = 0; h < hubs(); ++h)
    if (own_hubs_[h] != k_elsewhere) shares_[own_hubs_[h]] = share(of_hubs[h]);
}

template <class Id>
task<> rank_part<Id>::all_start() {
  const double rank = 1 / static_cast<double>(all_vertices_);
  totals mine;
  const auto set = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto slot = begin; slot < end; ++slot) {
      ranks_[slot] = rank;
      received[slot] = 0;
      contributions[hubs() + slot] = rank * shares_[slot];
      mine.dangling += shares_[slot] == 0 ? rank : 0;
    }
  };
  co_await graph::in_stretches(0, ranks_.size(), set);
  co_await all_publish(mine);
}

template <class Id>
task<> rank_part<Id>::all_update(const parameters& with) {
  const double everybody =
      (1 - with.damping + with.damping * sums_.dangling) / static_cast<double>(all_vertices_);
  totals mine;
  const auto update = [&](std::uint64_t begin, std::uint64_t end) {
    update_stretch(begin, end, everybody, with.damping, mine);
    charge(work::rank_updated, end - begin);
  };
  co_await graph::in_stretches(0, ranks_.size(), update);
  co_await all_publish(mine);
}

template <class Id>
void rank_part<Id>::update_stretch(std::uint64_t begin, std::uint64_t end, double everybody,
                                   double damping, totals& mine) {
  double* const given = contributions.data() + hubs();
  for (auto slot = begin; slot < end; ++slot) {
    const double rank = everybody + damping * received[slot];
    mine.change += std::abs(rank - ranks_[slot]);
    mine.dangling += shares_[slot] == 0 ? rank : 0;
    ranks_[slot] = rank;
    given[slot] = rank * shares_[slot];
    received[slot] = 0;
  }
}

/// Adds up `mine` over all PEs, and sends every PE the contributions of split hubs, whose rows are
/// divided over all PEs.
template <class Id>
task<> rank_part<Id>::all_publish(totals mine) {
  std::vector<double> values = {mine.change, mine.dangling};
  for (const std::uint64_t slot : own_hubs_)
    values.push_back(slot == k_elsewhere ? 0 : contributions[hubs() + slot]);
  values = co_await all_reduce(std::move(values), std::plus<>());
  sums_ = {values[0], values[1]};
  std::copy(values.begin() + 2, values.end(), contributions.begin());
}

}  // namespace atl::kernels::pagerank
