#pragma once
// Traverses a graph from many vertices at the same time. A traversal begins at a vertex, its root,
// and follows arcs on all PEs. The first traversal that reaches a vertex *claims* the vertex, which
// then stores the root of the traversal. When a traversal reaches a vertex that another traversal
// has claimed, the pair of the two roots is inserted into a set. A pair of roots whose traversals
// have met is called a meeting. The traversals are phase 1 of the algorithm for components by Holt
// and others ("Flat Combining Synchronized Global Data Structures", PGAS 2013).

#include "atoll/graph/distributed_graph.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/random.hpp"
#include "reproduction/cc/meetings.hpp"

#include <algorithm>

namespace atl::reproduction::cc {

/// The data of phase 1 on one PE. One task, the walker, scans the arcs of claimed vertices. Other
/// tasks insert meetings into the set. A task ends when this PE has no more work for it. A message
/// that brings work for an ended task starts a new task.
template <class Id>
class traversal_part {
 public:
  using everywhere = per_pe<traversal_part>;

  /// For each vertex of this PE, the root whose traversal has claimed the vertex. The value for a
  /// vertex without arcs is k_unclaimed.
  huge_vector<Id> roots;
  std::uint64_t traversals = 0;  ///< number of traversals that began on this PE
  /// Number of meetings. In a meeting, a traversal reaches a vertex of this PE that another
  /// traversal has claimed, and the pair of roots is inserted into the set.
  std::uint64_t inserts_tried = 0;
  std::uint64_t scanned_edges = 0;

  static constexpr Id k_unclaimed = static_cast<Id>(~Id{0});

  /// Clears the data of the last run. Every PE must call `start` before any PE claims vertices.
  void start(const graph_part<Id>& graph, everywhere all, meeting_set<Id> met) {
    graph_ = &graph;
    all_ = all;
    set_ = met;
    roots.assign(graph.vertices, k_unclaimed);
    claims_.clear();
    meetings_.clear();
    traversals = inserts_tried = scanned_edges = 0;
    walks_ = false;
    inserters_ = 0;
    next_row_ = graph.vertices;
  }

  /// Begins traversals at `count` random vertices of this PE. Vertices without arcs and claimed
  /// vertices are skipped. If too many vertices are skipped, fewer traversals begin. The enclosing
  /// scope waits for the traversals.
  void begin_at_random(std::uint64_t seed, std::uint64_t count) {
    if (graph_->vertices == 0) return;
    random_stream random(hash(seed + static_cast<std::uint64_t>(my_pe())));
    count = std::min<std::uint64_t>(count, graph_->vertices);
    for (std::uint64_t draws = k_draws * count; draws > 0 && traversals < count; --draws) {
      const auto row = static_cast<Id>(random.below(graph_->vertices));
      if (is_unclaimed(row) && has_arcs(row)) begin_at(row);
    }
  }

  /// Begins traversals at all remaining unclaimed vertices of this PE, one by one. The next
  /// traversal begins when the walker has no other work.
  void begin_at_rest() {
    next_row_ = 0;
    have_walker();
  }

  /// Claims the vertex of `row` for the traversal with the root `root`. If another traversal has
  /// claimed the vertex, records a meeting. Message handlers call this function.
  void claim(Id row, Id root) {
    if (is_unclaimed(row)) {
      roots[row] = root;
      follow_later({row, 0, root});
    } else if (roots[row] != root) {
      meet(meeting<Id>::of(roots[row], root));
    }
  }

 private:
  /// A claimed vertex whose arcs from index `first` on must still be scanned. A hub, a vertex with
  /// very many arcs, has a part of its arcs on each PE.
  struct claimed {
    std::uint64_t row;
    std::uint64_t first;
    Id root;
  };

  /// A message that claims a vertex, to the PE that owns the vertex.
  struct claim_at {
    Id row;
    Id root;

    void operator()(traversal_part& own) const { own.claim(row, root); }
    [[gnu::always_inline]] void prefetch(const traversal_part& own) const {
      __builtin_prefetch(&own.roots[row], 1);
    }
  };

  static constexpr std::uint64_t k_draws = 8;
  // number of arcs that are scanned before other tasks run
  static constexpr std::size_t k_targets = 4096;
  static constexpr std::size_t k_meetings_a_worker =
      64;  // with more waiting meetings per worker, the walker also inserts meetings

  bool is_unclaimed(std::uint64_t row) const { return roots[row] == k_unclaimed; }

  bool has_arcs(std::uint64_t row) const {
    return !graph_->row(row).empty() || graph_->shape.hub_number(graph_->first_vertex + row);
  }

  void begin_at(std::uint64_t row) {
    ++traversals;
    claim(static_cast<Id>(row), static_cast<Id>(graph_->first_vertex + row));
  }

  void follow_later(const claimed& one) {
    claims_.push_back(one);
    have_walker();
  }

  void meet(const meeting<Id>& one) {
    ++inserts_tried;
    if (set_.form() == set_form::tuned) return set_.gather(one);
    meetings_.push_back(one);
    if (inserters_ == job_settings().workers) return;
    spawn([this] { return insert_all(); });
    ++inserters_;
  }

  task<> insert_all() {
    co_await insert_down_to(0);
    --inserters_;
  }

  /// Inserts waiting meetings until at most `most` of them are left.
  task<> insert_down_to(std::size_t most) {
    while (meetings_.size() > most) {
      const meeting<Id> one = taken_from(meetings_);
      if (set_.form() == set_form::delegates)
        co_await set_.insert_by_hand(one);
      else
        co_await set_.insert(one);
    }
  }

  void have_walker() {
    if (walks_) return;
    spawn([this] { return walk(); });
    walks_ = true;
  }

  /// The walker, which scans claimed vertices. If many meetings (pairs of roots whose traversals
  /// have met) wait, the walker inserts some of the meetings itself. Other tasks that insert
  /// meetings may never begin, because spawned tasks do not begin after a failure.
  task<> walk() {
    while (!claims_.empty() || begin_at_next()) {
      follow(taken_from(claims_));
      co_await room();
      co_await yield();
      const std::uint64_t most = k_meetings_a_worker * job_settings().workers;
      if (meetings_.size() > most) co_await insert_down_to(most);
    }
    walks_ = false;
  }

  template <class Element>
  static Element taken_from(std::vector<Element>& list) {
    const Element last = list.back();
    list.pop_back();
    return last;
  }

  /// Begins a traversal at the next unclaimed vertex that has arcs. Returns false if there is none.
  bool begin_at_next() {
    while (next_row_ < graph_->vertices) {
      const std::uint64_t row = next_row_++;
      if (!is_unclaimed(row) || !has_arcs(row)) continue;
      begin_at(row);
      return true;
    }
    return false;
  }

  /// Claims a range of neighbours of a claimed vertex. If the vertex is a hub, a message goes to
  /// all PEs, because each PE has a part of its neighbours.
  void follow(const claimed& one) {
    claim_targets(one);
    if (one.first > 0 || one.row >= graph_->vertices) return;
    const auto hub = graph_->shape.hub_number(graph_->first_vertex + one.row);
    for (int pe = 0; hub && pe < pes(); ++pe) {
      async_call(pe, [all = all_, hub = *hub, root = one.root] {
        all->follow_later({all->graph_->vertices + hub, 0, root});
      });
    }
  }

  void claim_targets(const claimed& one) {
    const auto left = graph_->row(one.row).subspan(one.first);
    const auto targets = left.first(std::min(k_targets, left.size()));
    if (targets.size() < left.size())
      claims_.push_back({one.row, one.first + targets.size(), one.root});
    for (const Id target : targets) {
      const int owner = graph_->shape.owner(target);
      const auto row = static_cast<Id>(target - graph_->shape.begin(owner));
      if (owner == my_pe())
        claim(row, one.root);
      else
        all_.async_update(owner, claim_at{row, one.root});
    }
    scanned_edges += targets.size();
    charge(work::edge_scanned, targets.size());
    charge(work::vertex_visited, 1);
  }

  const graph_part<Id>* graph_ = nullptr;
  everywhere all_;
  meeting_set<Id> set_;
  std::vector<claimed> claims_;
  std::vector<meeting<Id>> meetings_;
  bool walks_ = false;
  std::uint64_t inserters_ = 0;
  // unclaimed vertices from this row on may be roots of new traversals
  std::uint64_t next_row_ = 0;
};

/// Claims every vertex that has arcs, and waits until all meetings are in the set. On each PE,
/// `count` traversals begin at random vertices. When the first `count` traversals of all PEs have
/// ended, traversals begin at the vertices that were not reached. Every PE must call this function.
template <class Id>
task<> all_traverse(const graph_part<Id>& graph, per_pe<traversal_part<Id>> parts,
                    meeting_set<Id> met, std::uint64_t seed, std::uint64_t count) {
  traversal_part<Id>& mine = parts.local();
  mine.start(graph, parts, met);
  co_await met.all_clear();  // no PE claims vertices before every PE has started
  const auto begin = [&mine, seed, count] { mine.begin_at_random(seed, count); };
  co_await finish(begin);
  co_await all_barrier();
  const auto go_on = [&mine] { mine.begin_at_rest(); };
  co_await finish(go_on);
  co_await all_barrier();
  co_await met.all_merge();
}

}  // namespace atl::reproduction::cc
