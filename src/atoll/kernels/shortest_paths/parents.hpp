#pragma once
// The parents of all vertices, once all distances are known.
//
// An arc from u to v is tight if distance(u) + weight == distance(v). The parent of v is the
// smallest u that has a tight arc to v and a smaller distance than v. A tight arc between vertices
// of equal distance is called flat. If no tight arc from a vertex of smaller distance leads to a
// reached vertex, a tight arc from a vertex of equal distance does. Vertices that are reached only
// by flat arcs (tight arcs between equal distances) get parents by a breadth-first search along
// flat arcs. The breadth-first search begins at all vertices that have a parent.

#include "atoll/graph/build.hpp"
#include "atoll/kernels/shortest_paths/search.hpp"

namespace atl::kernels::shortest_paths {

template <class Id>
inline constexpr Id k_no_parent = static_cast<Id>(~Id{0});

template <class Id, class Weights>
class parent_finder {
 public:
  explicit parent_finder(workspace<Id> on)
      : on_(on),
        graph_(on.graph.local()),
        mine_(on.parts.local()),
        reached_(on.distances, graph_.shape),
        own_(on.distances.local().data()) {}

  /// Finds all parents in the paths from `root`. Every PE calls this function.
  task<> all_find(std::uint64_t root) {
    mine_.parents.clear();
    co_await graph::grow(mine_.parents, graph_.vertices);
    std::ranges::fill(mine_.parents, k_no_parent<Id>);
    if (graph_.shape.owner(root) == my_pe())
      mine_.parents[root - graph_.first_vertex] = static_cast<Id>(root);
    const bool looks_back = graph_.arcs_are == orientation::undirected && co_await all_reach_all();
    co_await all_barrier();
    if (looks_back)
      co_await look_back();
    else
      co_await all_offer();
    co_await all_barrier();
    co_await all_follow_flat_arcs();
  }

 private:
  task<bool> all_reach_all() const {
    const int here = reached_.reaches_all() ? 1 : 0;
    co_return co_await all_reduce(here, [](int a, int b) { return a & b; }) != 0;
  }

  /// Finds the parents of this PE's vertices in their own rows, for an undirected graph. In an
  /// undirected graph, a row also contains the arcs that lead to its vertex.
  task<> look_back() {
    const auto look = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row)
        if (own_[row] > 0 && own_[row] < k_infinite) mine_.parents[row] = parent_in_row(row);
    };
    for (std::uint64_t row = 0; row < graph_.vertices;) {
      const std::uint64_t begin = row;
      const std::uint64_t arcs = graph_.offsets[begin];
      while (row < graph_.vertices && graph_.offsets[row] - arcs < graph::k_stretch) ++row;
      look(begin, row);
      charge(work::edge_scanned, graph_.offsets[row] - arcs);
      co_await yield();
    }
  }

  Id parent_in_row(std::uint64_t row) {
    const auto targets = graph_.row(row);
    const Weights weights(graph_, row);
    const double distance = own_[row];
    Id parent = k_no_parent<Id>;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const double before = reached_[targets[i]];
      if (!(before < distance) || before + weights[i] != distance) continue;
      parent = std::min(parent, targets[i]);
      if (graph_.rows_are == row_order::by_target) break;
    }
    return parent;
  }

  /// Offers this PE's vertices as parents to the targets of their arcs.
  task<> all_offer() {
    const auto offer_all = [&]() -> task<> {
      for (std::uint64_t row = 0; row < graph_.vertices; ++row) {
        const double distance = own_[row];
        if (distance == k_infinite) continue;
        const auto offer = [&](Id target, double there) {
          if (distance < there) offer_parent(vertex_of(row), target, there);
        };
        co_await for_each_arc(row, offer);
      }
    };
    co_await finish(offer_all);
  }

  /// Calls `visit(target, distance + weight)` for each arc of a row, where `distance` is the
  /// distance of the row's vertex. The task yields from time to time, so that other tasks run.
  template <class Visit>
  task<> for_each_arc(std::uint64_t row, Visit visit) {
    const auto targets = graph_.row(row);
    const Weights weights(graph_, row);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      visit(targets[i], own_[row] + weights[i]);
      if (++arcs_since_yield_ < k_arcs_at_once) continue;
      charge(work::edge_scanned, std::exchange(arcs_since_yield_, 0));
      co_await room();
      co_await yield();
    }
  }

  Id vertex_of(std::uint64_t row) const { return static_cast<Id>(graph_.first_vertex + row); }

  void offer_parent(Id parent, Id vertex, double distance) {
    reached_.find(vertex);
    if (reached_.reaches_owner() && reached_.of(vertex) != distance) return;
    const auto row = static_cast<Id>(reached_.row_of(vertex));
    if (reached_.owner() == my_pe()) {
      take_parent(mine_, row, parent);
      return;
    }
    async_call(reached_.owner(), [on = on_, row, parent, distance] {
      if (on.distances.local()[row] == distance) take_parent(on.parts.local(), row, parent);
    });
  }

  static void take_parent(search_part<Id>& part, Id row, Id parent) {
    part.parents[row] = std::min(part.parents[row], parent);
  }

  std::uint64_t count_without_parent() const {
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row < graph_.vertices; ++row)
      count += own_[row] < k_infinite && mine_.parents[row] == k_no_parent<Id> ? 1 : 0;
    return count;
  }

  task<> all_follow_flat_arcs() {
    const auto sum = [](auto a, auto b) { return a + b; };
    std::uint64_t missing = co_await all_reduce(count_without_parent(), sum);
    if (missing == 0) co_return;
    co_await graph::grow(mine_.candidates, graph_.vertices);
    std::ranges::fill(mine_.candidates, k_no_parent<Id>);
    std::vector<Id> newest;
    for (std::uint64_t row = 0; row < graph_.vertices; ++row)
      if (mine_.parents[row] != k_no_parent<Id>) newest.push_back(static_cast<Id>(row));
    while (missing > 0) {
      mine_.with_candidates.clear();
      co_await all_barrier();
      co_await finish([&] { return propose(newest); });
      co_await all_barrier();  // all proposals of other PEs have arrived
      newest = mine_.with_candidates;
      for (const Id row : newest) mine_.parents[row] = mine_.candidates[row];
      missing -= co_await all_reduce(std::uint64_t{newest.size()}, sum);
    }
    huge_vector<Id>().swap(mine_.candidates);
  }

  /// Proposes the vertices of `rows` as parents to targets of flat arcs, which are tight arcs
  /// between vertices of equal distance.
  task<> propose(const std::vector<Id>& rows) {
    for (const Id row : rows) {
      const double distance = own_[row];
      const auto propose_to = [&](Id target, double there) {
        if (there == distance) propose_parent(vertex_of(row), target, distance);
      };
      co_await for_each_arc(row, propose_to);
    }
  }

  void propose_parent(Id parent, Id vertex, double distance) {
    const int owner = graph_.shape.owner(vertex);
    const auto row = static_cast<Id>(vertex - graph_.shape.begin(owner));
    async_call(owner, [on = on_, row, parent, distance] {
      search_part<Id>& part = on.parts.local();
      if (on.distances.local()[row] != distance || part.parents[row] != k_no_parent<Id>) return;
      if (part.candidates[row] == k_no_parent<Id>) part.with_candidates.push_back(row);
      part.candidates[row] = std::min(part.candidates[row], parent);
    });
  }

  workspace<Id> on_;
  const graph_part<Id>& graph_;
  search_part<Id>& mine_;
  reached_distances reached_;
  const double* own_;
  std::uint64_t arcs_since_yield_ = 0;
};

}  // namespace atl::kernels::shortest_paths
