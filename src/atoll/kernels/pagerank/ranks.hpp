#pragma once
// The ranks of the vertices of one PE, and what an iteration makes of them once it has added up
// what they get: a share of the rank of each vertex with an arc to them, and of the rank of all
// vertices that have no arcs, which goes to everybody (L. Page and others, 1998; Jacobi's method).

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/kernels/pagerank/order.hpp"
#include "atoll/work.hpp"

#include <cmath>
#include <functional>

namespace atl::kernels::pagerank {

struct parameters {
  double damping = 0.85;
  double tolerance = 1e-4;  ///< it ends when the ranks have changed by less, summed over vertices
  std::uint64_t max_iterations = 100;  ///< at least 1
};

/// How a run ended.
struct convergence {
  std::uint64_t iterations = 0;
  double residual = 0;  ///< by how much the last one changed the ranks, summed over vertices
};

/// Sums over the vertices of all PEs.
struct totals {
  double change = 0;
  double dangling = 0;  ///< rank of vertices that give to nobody
};

/// One PE's part. Vertices have slots: those with many arcs first where they are ordered, so that
/// what is read most often stands in few cache lines; else by row.
template <class Id>
class rank_part {
 public:
  huge_vector<Id> slots;         ///< by row
  huge_vector<double> received;  ///< by slot: what an iteration adds up, before it ends
  /// What a vertex gives over an arc, or for each unit of its weight: split hubs of all PEs, then
  /// the own vertices by slot.
  huge_vector<double> contributions;
  /// Hears, where it is set, by how much the ranks have changed in each iteration.
  std::function<void(std::uint64_t iterations, double change)> progress;

  /// Once for a graph. Every PE calls it.
  task<> all_prepare(const graph_part<Id>& graph, bool ordered);

  /// Sets all ranks to the same. Every PE calls it before it iterates.
  task<> all_start();

  /// Makes new ranks of what was received. Every PE calls it, once all have received; returns when
  /// all have called it.
  task<> all_update(const parameters& with);

  /// Sums of the last update.
  const totals& sums() const { return sums_; }

  double rank_of_row(std::uint64_t row) const { return ranks_[slots[row]]; }
  std::uint64_t hubs() const { return own_hubs_.size(); }

  /// Where the contribution of what has this row of the graph stands.
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
  huge_vector<double> ranks_;  // by slot
  huge_vector<double>
      shares_;  // by slot: the part of its rank that goes over an arc of weight 1; or 0
  std::vector<std::uint64_t> own_hubs_;  // by hub: its slot, or k_elsewhere
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

/// What the arcs of a row here weigh together; each 1 where they have no weights.
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

/// Adds up the sums of all PEs, and tells all what split hubs give.
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
