#pragma once
// Breadth-first search, direction-optimizing (Beamer, Asanovic, Patterson 2012), over all PEs.
//
// From above (top-down), each PE scans the rows of its frontier vertices and claims their targets:
// its own at once, others by a message to their owner. From below (bottom-up), each PE looks, for
// each of its unvisited vertices, for a neighbour in the frontier, of which every PE has a bitmap:
// one bit a vertex, gathered after every such level. A search begins from above, goes on from below
// while the frontier is large, and ends from above. Levels end with a reduction over all PEs. What
// is found goes through a global queue where one is given (bfs_queue.hpp).
//
// k_alpha, k_beta: the original's thresholds for changing the direction.

#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/bfs_queue.hpp"

namespace atl::kernels::bfs {

inline constexpr std::uint64_t k_alpha = 15;
inline constexpr std::uint64_t k_beta = 18;

/// Rows looked at before other tasks run.
inline constexpr std::uint64_t k_rows = 4096;

/// What the PEs add up after each level.
struct level_sums {
  std::uint64_t vertices = 0;  ///< reached in it
  std::uint64_t arcs = 0;      ///< in their rows

  friend level_sums operator+(const level_sums& a, const level_sums& b) {
    return {a.vertices + b.vertices, a.arcs + b.arcs};
  }
};

template <class Id>
class search {
 public:
  search(distributed_graph<Id> graph, per_pe<search_part<Id>> parts,
         const std::optional<frontier_queue<Id>>& queue)
      : graph_(graph.local()), parts_(parts), mine_(parts.local()), queue_(queue) {}

  /// Grows the tree from `root`; returns its number of levels. Every PE calls it, after `start`.
  task<std::uint64_t> all_search(std::uint64_t root);

 private:
  using part = graph_part<Id>;

  void expand(Id vertex, std::span<const Id> targets);
  template <class Visit>
  std::uint64_t charging(const Visit& visit);
  std::uint64_t expand_while_room(std::span<const Id> rows, std::uint64_t begin);
  void expand_hubs();
  task<> all_step_from_above();
  void look_up(std::uint64_t row);
  void look_up_hubs();
  task<> all_step_from_below();
  task<> all_gather_frontier();
  task<> all_share_hubs();
  level_sums count_newest() const;
  bool should_search_from_below(const level_sums& newest) const;

  const part& graph_;
  per_pe<search_part<Id>> parts_;
  search_part<Id>& mine_;
  std::optional<frontier_queue<Id>> queue_;
  std::vector<std::uint64_t> frontier_hubs_;
  std::uint64_t unexplored_arcs_ = 0;
  bool from_below_ = false;
};

/// Claims the targets of a frontier vertex.
template <class Id>
void search<Id>::expand(Id vertex, std::span<const Id> targets) {
  mine_.scanned_arcs += targets.size();
  for (const Id target : targets) {
    if (mine_.visited.test_and_set(target)) continue;
    const int owner = graph_.shape.owner(target);
    const Id row = static_cast<Id>(target - graph_.shape.begin(owner));
    if (owner == my_pe()) {
      mine_.claim(row, vertex);
    } else {
      async_call(owner, [parts = parts_, row, vertex] { parts->claim(row, vertex); });
    }
  }
}

/// Declares the edges that `visit` scans, and the vertices it visits and returns.
template <class Id>
template <class Visit>
std::uint64_t search<Id>::charging(const Visit& visit) {
  const std::uint64_t scanned_before = mine_.scanned_arcs;
  const std::uint64_t visited = visit();
  charge(work::edge_scanned, mine_.scanned_arcs - scanned_before);
  charge(work::vertex_visited, visited);
  return visited;
}

template <class Id>
std::uint64_t search<Id>::expand_while_room(std::span<const Id> rows, std::uint64_t begin) {
  const std::uint64_t most = std::min(k_rows, rows.size() - begin);
  return begin + charging([&] {
           std::uint64_t i = 0;
           for (; i < most && has_room(); ++i) {
             const Id row = rows[begin + i];
             expand(static_cast<Id>(graph_.first_vertex + row), graph_.row(row));
           }
           return i;
         });
}

/// Every PE expands its part of the hubs in the frontier.
template <class Id>
void search<Id>::expand_hubs() {
  charging([&] {
    for (const auto hub : frontier_hubs_)
      expand(static_cast<Id>(graph_.shape.hubs[hub]), graph_.row(graph_.vertices + hub));
    return frontier_hubs_.size();
  });
}

template <class Id>
task<> search<Id>::all_step_from_above() {
  // A copy: claims append to `reached` meanwhile.
  const std::vector<Id> frontier(mine_.newest().begin(), mine_.newest().end());
  mine_.levels.push_back(mine_.reached.size());
  co_await all_barrier();  // nobody claims before every PE knows its frontier
  const auto expand_all = [&]() -> task<> {
    expand_hubs();
    for (std::uint64_t i = 0; i < frontier.size();) {
      i = expand_while_room(frontier, i);
      co_await yield();
    }
  };
  co_await finish(expand_all);
  co_await all_barrier();  // all claims have arrived
  charge(work::vertex_visited, mine_.newest().size());
}

/// Looks for a parent of the vertex of this row, or in this PE's part of a hub's row for a parent
/// of the hub.
template <class Id>
void search<Id>::look_up(std::uint64_t row) {
  if (row < graph_.vertices && mine_.frontier.test(graph_.first_targets[row])) {
    ++mine_.scanned_arcs;
    mine_.claim(static_cast<Id>(row), graph_.first_targets[row]);
    return;
  }
  const auto targets = graph_.row(row);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!mine_.frontier.test(targets[i])) continue;
    mine_.scanned_arcs += i + 1;
    if (row < graph_.vertices) {
      mine_.claim(static_cast<Id>(row), targets[i]);
      return;
    }
    const std::uint64_t hub = graph_.vertex_of_row(row);
    const int owner = graph_.shape.owner(hub);
    async_call(owner, [parts = parts_, row = static_cast<Id>(hub - graph_.shape.begin(owner)),
                       parent = targets[i]] { parts->claim(row, parent); });
    return;
  }
  mine_.scanned_arcs += targets.size();
}

template <class Id>
void search<Id>::look_up_hubs() {
  charging([&] {
    std::uint64_t looked_at = 0;
    for (std::uint64_t hub = 0; hub < graph_.shape.hubs.size(); ++hub) {
      if (mine_.visited.test(graph_.shape.hubs[hub])) continue;
      ++looked_at;
      look_up(graph_.vertices + hub);
    }
    return looked_at;
  });
}

template <class Id>
task<> search<Id>::all_step_from_below() {
  mine_.levels.push_back(mine_.reached.size());
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    charging([&] {
      std::uint64_t looked_at = 0;
      mine_.visited.for_each_clear(begin, end, [&](std::uint64_t v) {
        ++looked_at;
        look_up(v - graph_.first_vertex);
      });
      return looked_at;
    });
  };
  const auto look_all = [&]() -> task<> {
    look_up_hubs();
    const std::uint64_t first = graph_.first_vertex;
    co_await graph::in_stretches(first, first + graph_.vertices, look);
  };
  if (graph_.shape.hubs.empty()) {
    co_await look_all();
    co_return;
  }
  co_await all_barrier();  // nobody claims a hub before every PE has begun the level
  co_await finish(look_all);
  co_await all_barrier();  // all claims have arrived
}

/// Every PE learns the newest level of all.
template <class Id>
task<> search<Id>::all_gather_frontier() {
  const std::uint64_t first = graph_.first_vertex;
  const std::uint64_t last = first + graph_.vertices;
  bitmap_slice newest(first, last);
  for (const Id row : mine_.newest()) newest.set(first + row);
  mine_.frontier.clear();
  const auto slices = co_await all_gather(newest.words());
  for (int pe = 0; pe < pes(); ++pe) {
    mine_.frontier.merge(graph_.shape.begin(pe), slices[static_cast<std::size_t>(pe)]);
  }
  mine_.visited.merge(0, mine_.frontier.words());
}

/// Every PE learns which hubs are in the newest level, as it has a part of their rows.
template <class Id>
task<> search<Id>::all_share_hubs() {
  frontier_hubs_.clear();
  if (graph_.shape.hubs.empty()) co_return;
  std::vector<std::uint64_t> mine;
  for (const Id row : mine_.newest()) {
    const auto hub = graph_.shape.hub_number(graph_.first_vertex + row);
    if (hub) mine.push_back(*hub);
  }
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(mine))) {
    frontier_hubs_.insert(frontier_hubs_.end(), of_pe.begin(), of_pe.end());
  }
  for (const auto hub : frontier_hubs_) mine_.visited.test_and_set(graph_.shape.hubs[hub]);
}

template <class Id>
level_sums search<Id>::count_newest() const {
  level_sums sums{mine_.newest().size(), 0};
  if (!from_below_) {
    for (const Id row : mine_.newest()) sums.arcs += graph_.row(row).size();
    for (const auto hub : frontier_hubs_) sums.arcs += graph_.row(graph_.vertices + hub).size();
  }
  return sums;
}

/// The direction of the next step.
template <class Id>
bool search<Id>::should_search_from_below(const level_sums& newest) const {
  if (graph_.arcs_are != orientation::undirected) return false;
  if (from_below_) return newest.vertices > graph_.shape.vertices / k_beta;
  return newest.arcs > unexplored_arcs_ / k_alpha;
}

template <class Id>
task<std::uint64_t> search<Id>::all_search(std::uint64_t root) {
  const auto sum = [](const auto& a, const auto& b) { return a + b; };
  unexplored_arcs_ = co_await all_reduce(graph_.arcs(), sum);
  mine_.visited.test_and_set(root);
  if (graph_.shape.owner(root) == my_pe()) {
    mine_.claim(static_cast<Id>(root - graph_.first_vertex), static_cast<Id>(root));
  }
  std::uint64_t depth = 0;
  while (true) {
    if (queue_) co_await queue_->all_pass(graph_.shape, mine_);
    co_await all_share_hubs();
    const level_sums newest = co_await all_reduce(count_newest(), sum);
    if (newest.vertices == 0) break;
    ++depth;
    const bool was_from_below = from_below_;
    from_below_ = should_search_from_below(newest);
    unexplored_arcs_ -= std::min(unexplored_arcs_, newest.arcs);
    if (from_below_ || was_from_below) co_await all_gather_frontier();
    if (from_below_) {
      co_await all_step_from_below();
    } else {
      co_await all_step_from_above();
    }
  }
  mine_.levels.pop_back();  // the level that turned out to be empty
  co_return depth;
}

}  // namespace atl::kernels::bfs
