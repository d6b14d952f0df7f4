#pragma once
// Breadth-first search, direction-optimizing (Beamer, Asanovic, Patterson 2012), over all PEs.
//
// In a top-down level, each PE scans the rows of its frontier vertices and claims their targets. A
// claim makes the frontier vertex the parent of the target. A PE claims its own targets at once,
// and sends a message to the owner of each other target. In a bottom-up level, each PE looks for a
// frontier vertex among the neighbours of each unvisited vertex. Every node has a bitmap of the
// frontier (bits.hpp) with one bit per vertex. Nodes exchange their bits before every bottom-up
// level. A search begins top-down, continues bottom-up while the frontier is large, and ends
// top-down. Each level ends with a reduction over all PEs. A PE continues alone while it has the
// whole frontier and claims no vertex of another PE. When the PE stops working alone, one reduction
// ends all levels that the PE has found. If every level ended with a reduction, a search of a long
// path would mostly wait for reductions.
//
// The constants k_alpha and k_beta are thresholds for changing between top-down and bottom-up
// levels. Both constants have the values of the GAP benchmark suite.

#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/bfs/bits.hpp"
#include "atoll/kernels/bfs/part.hpp"

namespace atl::kernels::bfs {

inline constexpr std::uint64_t k_alpha = 15;
inline constexpr std::uint64_t k_beta = 18;

/// Number of rows that are processed before other tasks run.
inline constexpr std::uint64_t k_rows = 4096;

/// Largest number of arcs of a frontier with which a PE continues alone. If a frontier has more
/// arcs, the search may have to continue bottom-up.
inline constexpr std::uint64_t k_arcs_alone = 4096;

/// Largest number of arcs that a PE scans alone between two reductions. The limit makes the other
/// PEs learn from time to time how many vertices were reached.
inline constexpr std::uint64_t k_work_alone = std::uint64_t{1} << 20;

/// The levels that a PE has completed without other PEs since the last reduction.
struct levels_alone {
  std::uint64_t levels = 0;
  std::uint64_t vertices = 0;  ///< number of vertices reached in the levels
  std::uint64_t arcs = 0;      ///< number of arcs that begin at the vertices of the levels
};

/// Sums over all PEs, computed after each level.
struct level_sums {
  std::uint64_t vertices = 0;  ///< number of vertices reached in the level
  /// Number of arcs that begin at the vertices of the level. The number is counted only in top-down
  /// levels.
  std::uint64_t arcs = 0;
  /// A bitmap with one bit per hub: bit h tells whether the level contains hub number h.
  std::vector<std::uint64_t> hubs;
  /// The levels before this level that one PE has completed without other PEs.
  levels_alone alone = {};
};

/// A rule determines the next frontier from the vertices found at a level. Under the rule
/// `found_is_frontier`, every found vertex is in the next frontier, on the PE that owns the vertex.
/// Any other rule has a coroutine `all_pass(shape, tree)`. After all claims of a level have
/// arrived, the search calls and awaits `all_pass` on every PE.
struct found_is_frontier {};

template <class Id>
class search {
 public:
  search(distributed_graph<Id> graph, per_pe<search_part<Id>> parts, const shared_bits& bits)
      : graph_(graph.local()), parts_(parts), mine_(parts.local()), bits_(bits, graph_.shape) {}

  /// Grows the tree from `root`. Returns the number of levels of the tree. Every PE calls this
  /// function after `search_part::start`.
  template <class Frontier>
  task<std::uint64_t> all_search(std::uint64_t root, Frontier frontier);

 private:
  using part = graph_part<Id>;

  void expand(Id vertex, std::span<const Id> targets);
  template <class Visit>
  std::uint64_t charging(const Visit& visit);
  std::uint64_t expand_while_room(std::span<const Id> rows, std::uint64_t begin);
  void expand_hubs();
  bool closes_level_alone();
  task<> all_step_from_above();
  void look_up(std::uint64_t row);
  void look_up_hubs();
  task<> all_step_from_below();
  task<level_sums> all_close_level();
  level_sums count_newest() const;
  void learn_hubs(const level_sums& newest);
  void learn_levels(const levels_alone& of_some_pe);
  bool should_search_from_below(const level_sums& newest) const;

  const part& graph_;
  per_pe<search_part<Id>> parts_;
  search_part<Id>& mine_;
  node_bits bits_;
  std::vector<std::uint64_t> frontier_hubs_;
  bitmap visited_hubs_;  ///< indexed by the number of the hub
  std::uint64_t unexplored_arcs_ = 0;
  bool from_below_ = false;
  std::vector<Id> frontier_;  // rows of this PE that are expanded
  bool has_whole_frontier_ = false;
  bool sent_claims_ =
      false;  // whether this PE has asked other PEs to set parents in the present level
  levels_alone alone_;
};

/// Makes the frontier vertex `vertex` the parent of each of `targets` that has no parent yet.
template <class Id>
void search<Id>::expand(Id vertex, std::span<const Id> targets) {
  mine_.scanned_arcs += targets.size();
  for (const Id target : targets) {
    if (bits_.is_known(target)) continue;
    const int owner = graph_.shape.owner(target);
    const Id row = static_cast<Id>(target - graph_.shape.begin(owner));
    if (owner == my_pe()) {
      mine_.claim(row, vertex);
    } else {
      sent_claims_ = true;
      async_call(owner, [parts = parts_, row, vertex] { parts->claim(row, vertex); });
    }
  }
}

/// Calls `visit()`, which must return the number of visited vertices. Charges the visited vertices,
/// and the arcs that `visit` has scanned, to the cost model. Returns the number of visited
/// vertices.
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

/// Expands the hubs of the frontier: follows the arcs in this PE's part of each hub's row.
template <class Id>
void search<Id>::expand_hubs() {
  charging([&] {
    for (const auto hub : frontier_hubs_)
      expand(static_cast<Id>(graph_.shape.hubs[hub]), graph_.row(graph_.vertices + hub));
    return frontier_hubs_.size();
  });
}

/// If this PE can expand the newest level without other PEs, closes the level. To close the level,
/// this PE must have the whole frontier and one of the level's vertices, and must have claimed only
/// own vertices. All vertices of the level together must have at most `k_arcs_alone` arcs, and no
/// vertex of the level may be a hub. Returns whether the level was closed. After `k_work_alone`
/// arcs, the call closes no more levels, so that progress is reported.
template <class Id>
bool search<Id>::closes_level_alone() {
  if (!has_whole_frontier_ || sent_claims_ || mine_.newest().empty()) return false;
  if (alone_.arcs >= k_work_alone) return false;
  std::uint64_t arcs = 0;
  for (const Id row : mine_.newest()) {
    arcs += graph_.row(row).size();
    if (arcs > k_arcs_alone || graph_.shape.hub_number(graph_.first_vertex + row)) return false;
  }
  ++alone_.levels;
  alone_.vertices += mine_.newest().size();
  alone_.arcs += arcs;
  charge(work::vertex_visited, mine_.newest().size());
  mine_.close_level();
  return true;
}

template <class Id>
task<> search<Id>::all_step_from_above() {
  const auto expand_all = [&]() -> task<> {
    sent_claims_ = false;
    expand_hubs();
    do {
      // The frontier is copied, because each newly reached vertex is appended to `reached` while
      // the frontier is expanded.
      frontier_.assign(mine_.closed().begin(), mine_.closed().end());
      for (std::uint64_t i = 0; i < frontier_.size();) {
        i = expand_while_room(frontier_, i);
        co_await yield();
      }
    } while (closes_level_alone());
  };
  co_await finish(expand_all);
  co_await all_barrier();  // all claims of other PEs have arrived
  charge(work::vertex_visited, mine_.newest().size());
}

/// Looks in the frontier for a parent of the vertex of `row`. If the row is a part of a hub's row,
/// looks for a parent of the hub.
template <class Id>
void search<Id>::look_up(std::uint64_t row) {
  if (row < graph_.vertices && bits_.in_frontier(graph_.first_targets[row])) {
    ++mine_.scanned_arcs;
    mine_.claim(static_cast<Id>(row), graph_.first_targets[row]);
    return;
  }
  const auto targets = graph_.row(row);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!bits_.in_frontier(targets[i])) continue;
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
      if (visited_hubs_.test(hub)) continue;
      ++looked_at;
      look_up(graph_.vertices + hub);
    }
    return looked_at;
  });
}

template <class Id>
task<> search<Id>::all_step_from_below() {
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    charging([&] {
      std::uint64_t looked_at = 0;
      mine_.visited.for_each_clear(begin, end, [&](std::uint64_t row) {
        ++looked_at;
        look_up(row);
      });
      return looked_at;
    });
  };
  const auto look_all = [&]() -> task<> {
    look_up_hubs();
    co_await graph::in_stretches(0, graph_.vertices, look);
  };
  if (graph_.shape.hubs.empty()) {
    co_await look_all();
    co_return;
  }
  co_await finish(look_all);
  co_await all_barrier();  // all claims of other PEs have arrived
}

/// Returns the contribution of this PE to the sums of the newest level: its vertices, arcs and
/// hubs. A hub belongs to the newest level if it is reached now and was not reached before.
template <class Id>
level_sums search<Id>::count_newest() const {
  level_sums mine{mine_.newest().size(), 0, std::vector<std::uint64_t>(mine_.hub_words())};
  const auto& hubs = graph_.shape.hubs;
  const auto own_end = graph_.first_vertex + graph_.vertices;
  const auto first = std::ranges::lower_bound(hubs, graph_.first_vertex);
  for (auto hub = first; hub != hubs.end() && *hub < own_end; ++hub) {
    const auto number = static_cast<std::uint64_t>(hub - hubs.begin());
    if (visited_hubs_.test(number) || !mine_.has(*hub)) continue;
    mine.hubs[number / 64] |= std::uint64_t{1} << number % 64;
    mine.arcs += mine_.arcs_of_hubs[number];
  }
  if (from_below_) return mine;  // a bottom-up level does not need the number of arcs
  for (const Id row : mine_.newest()) mine.arcs += graph_.row(row).size();
  return mine;
}

/// Closes the level. Computes the sums over all PEs by one reduction, and returns them. No PE sets
/// parents for the next level before all PEs have contributed to the reduction, so no barrier is
/// needed between levels.
template <class Id>
task<level_sums> search<Id>::all_close_level() {
  const level_sums mine = count_newest();
  mine_.close_level();
  std::vector<std::uint64_t> sums = mine.hubs;
  sums.insert(sums.end(), {mine.vertices, mine.arcs, alone_.levels, alone_.vertices, alone_.arcs});
  sums = co_await all_reduce(std::move(sums), [](auto a, auto b) { return a + b; });
  const auto take = [&sums] {
    const std::uint64_t last = sums.back();
    sums.pop_back();
    return last;
  };
  level_sums all;
  all.alone.arcs = take(), all.alone.vertices = take(), all.alone.levels = take();
  all.arcs = take(), all.vertices = take();
  all.hubs = std::move(sums);
  co_return all;
}

/// Adds empty levels to this PE's part of the tree: one for each level that another PE has
/// completed without this PE. The empty levels come before the level that was closed last.
template <class Id>
void search<Id>::learn_levels(const levels_alone& of_some_pe) {
  auto& levels = mine_.levels;
  if (alone_.levels == 0)
    levels.insert(levels.end() - 1, of_some_pe.levels, levels[levels.size() - 2]);
  alone_ = {};
}

/// Marks the hubs of the newest level as visited on this PE. Every PE needs the marks of all hubs,
/// because every PE has a part of the hubs' rows.
template <class Id>
void search<Id>::learn_hubs(const level_sums& newest) {
  frontier_hubs_.clear();
  for (std::size_t word = 0; word < newest.hubs.size(); ++word)
    for (auto bits = newest.hubs[word]; bits != 0; bits &= bits - 1)
      frontier_hubs_.push_back(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  for (const auto hub : frontier_hubs_) visited_hubs_.set(hub);
}

/// Returns true if the next level should be searched bottom-up.
template <class Id>
bool search<Id>::should_search_from_below(const level_sums& newest) const {
  // Only undirected graphs whose rows are ordered by degree have `first_targets`.
  if (graph_.arcs_are != orientation::undirected || graph_.rows_are != row_order::by_degree)
    return false;
  if (from_below_) return newest.vertices > graph_.shape.vertices / k_beta;
  return newest.arcs > unexplored_arcs_ / k_alpha;
}

template <class Id>
template <class Frontier>
task<std::uint64_t> search<Id>::all_search(std::uint64_t root, Frontier frontier) {
  bits_.start();
  visited_hubs_.reset(graph_.shape.hubs.size());
  unexplored_arcs_ = co_await all_reduce(graph_.arcs(), [](auto a, auto b) { return a + b; });
  if (graph_.shape.owner(root) == my_pe())
    mine_.claim(static_cast<Id>(root - graph_.first_vertex), static_cast<Id>(root));
  std::uint64_t depth = 0, reached = 0;
  while (true) {
    if constexpr (!std::is_same_v<Frontier, found_is_frontier>)
      co_await frontier.all_pass(graph_.shape, mine_);
    if (from_below_) co_await bits_.mark(mine_.newest());
    const level_sums newest = co_await all_close_level();
    learn_levels(newest.alone);
    depth += newest.alone.levels;
    reached += newest.alone.vertices;
    unexplored_arcs_ -= std::min(unexplored_arcs_, newest.alone.arcs);
    if (newest.vertices == 0) break;
    learn_hubs(newest);
    has_whole_frontier_ = std::is_same_v<Frontier, found_is_frontier> && frontier_hubs_.empty() &&
                          mine_.closed().size() == newest.vertices;
    ++depth;
    reached += newest.vertices;
    if (mine_.progress)
      mine_.progress(static_cast<double>(reached) / static_cast<double>(graph_.shape.vertices));
    const bool was_from_below = from_below_;
    from_below_ = should_search_from_below(newest);
    unexplored_arcs_ -= std::min(unexplored_arcs_, newest.arcs);
    if (from_below_ && !was_from_below) {
      co_await bits_.mark(mine_.closed());
      co_await all_barrier();  // all PEs have marked their vertices
    }
    if (from_below_ || was_from_below) co_await bits_.all_tell();
    if (from_below_) {
      co_await all_step_from_below();
    } else {
      co_await all_step_from_above();
    }
  }
  mine_.levels.resize(depth);  // remove the last level, which turned out to be empty
  co_return depth;
}

}  // namespace atl::kernels::bfs
