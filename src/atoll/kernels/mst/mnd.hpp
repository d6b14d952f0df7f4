#pragma once
// A minimum spanning forest over all PEs by the algorithm MND-MST. This file also contains the
// phases that have no file of their own.

#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/contract.hpp"
#include "atoll/kernels/mst/lists.hpp"
#include "atoll/kernels/mst/part.hpp"
#include "atoll/kernels/mst/ring.hpp"

#include <utility>

namespace atl::kernels::mst {

// Phase 2, ghost information. A ghost is a component of another PE with an edge to a component of
// this PE. Each PE sends the new names of its components to the PEs that have edges to these
// components (transfer X1).

/// An item of a message. The item tells that the component `old` of the sending PE has become part
/// of the component `now`.
template <class Word>
struct renaming {
  Word old;
  Word now;
};

/// Returns, for each PE, the renamings of this PE's components to which edges of that PE may lead.
/// The renamings are in the order of the old names. The caller must call this function after `done`
/// has joined components. Every edge of the part must connect roots of components.
template <class Word>
lists<renaming<Word>> renamings_for(const part<Word>& of, const contraction<Word>& done, int pes) {
  pe_sets neighbours(of.names.size(), pes);
  for (const auto& edge : of.edges) {
    if (!of.owns(edge.a)) neighbours.add(edge.b, of.owners[edge.a]);
    if (!of.owns(edge.b)) neighbours.add(edge.a, of.owners[edge.b]);
  }
  lists<renaming<Word>> found(pes);
  const auto for_each = [&](auto visit) {
    for (std::size_t i = 0; i < of.names.size(); ++i) {
      const Word root = done.root_of(static_cast<Word>(i));
      if (root == i) continue;
      neighbours.for_each(root, [&](int pe) { visit(pe, of.names[i], of.names[root]); });
    }
  };
  for_each([&](int pe, Word, Word) { found.count(pe); });
  found.allocate();
  for_each([&](int pe, Word old, Word now) { found.add(pe, {old, now}); });
  return found;
}

/// The new names of all components in one PE's part of the graph. Components get new names when
/// this PE joins components, or when other PEs send renamings.
template <class Word>
class ghost_update {
 public:
  explicit ghost_update(part<Word>& of) : part_(of) {}

  /// Begins the update with the renamings of this PE.
  void begin(const contraction<Word>& done) {
    names_.reserve(part_.names.size());
    for (std::size_t i = 0; i < part_.names.size(); ++i)
      names_.push_back(part_.names[done.root_of(static_cast<Word>(i))]);
  }

  /// Applies a part of the renamings that another PE has sent. Renamings come in the order of old
  /// names.
  void apply(std::span<const renaming<Word>> news) {
    const auto& names = part_.names;
    auto from = names.begin();
    if (!news.empty()) from = std::lower_bound(from, names.end(), news.front().old);
    for (const auto& [old, now] : news) {
      from = next_not_below(from, names.end(), old);
      if (from != names.end() && *from == old) names_[place(from)] = now;
    }
  }

  /// Ends the update after the renamings of all PEs have been applied. If two ghosts (components of
  /// another PE) are now one component, edges from one component to both become parallel edges.
  void finish() { rename(part_, names_, huge_vector<std::int32_t>(part_.owners)); }

 private:
  using position = typename huge_vector<Word>::const_iterator;

  std::size_t place(position of) const {
    return static_cast<std::size_t>(of - part_.names.begin());
  }

  /// Returns the first position from `from` on that has the name `name` or a larger name. The step
  /// of the search doubles each time, because the result is usually near.
  static position next_not_below(position from, position end, Word name) {
    std::ptrdiff_t step = 1;
    position low = from;
    while (step < end - low && low[step] < name) {
      low += step;
      step *= 2;
    }
    return std::lower_bound(low, low + std::min(step + 1, end - low), name);
  }

  part<Word>& part_;
  huge_vector<Word> names_;
};

// Phase 3: among several edges between the same two components, only the lightest can be in the
// forest. The heavier edges are dropped.

/// Moves the lightest edge of each pair of components to the front. Returns the number of pairs.
/// The function reads only the first `all` edges, which must be in the order of their first
/// components.
template <class Word>
std::size_t keep_lightest(edge_records<Word>& edges, std::size_t all, std::size_t components) {
  // Edges are sorted by their first components. `place_of[b]` is the place of the lightest edge so
  // far between the present first component and component b. The place is valid only if
  // `first_of[b]` is the present first component.
  huge_vector<Word> first_of(components, static_cast<Word>(components));
  huge_vector<std::size_t> place_of(components);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all; ++i) {
    const edge_record<Word> edge = edges[i];
    if (first_of[edge.b] != edge.a) {
      first_of[edge.b] = edge.a;
      place_of[edge.b] = kept;
      edges[kept++] = edge;
    } else if (auto& other = edges[place_of[edge.b]]; key_of(edge) < key_of(other)) {
      other = edge;
    }
  }
  return kept;
}

/// Removes edges within a component. Of all edges between the same two components, keeps only the
/// lightest. The edges are sorted by a counting sort, without comparisons.
template <class Word>
void remove_multiple_edges(part<Word>& of) {
  keep_edges(of, [](const auto& edge) { return edge.a != edge.b; });
  huge_vector<std::size_t> next(of.names.size() + 1);
  for (auto& edge : of.edges) {
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
    ++next[edge.a + std::size_t{1}];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  auto& by_first = of.spare;
  const std::size_t all = of.edges.size();
  if (by_first.size() < all) by_first.resize(all);
  for (const auto& edge : of.edges) by_first[next[edge.a]++] = edge;
  of.edges.swap(by_first);
  of.edges.resize(keep_lightest(of.edges, all, of.names.size()));
}

// A minimum spanning forest over all PEs by MND-MST. Each PE joins components of its part as far as
// possible without other PEs. Each PE then sends the new names of its components to other PEs. Some
// components move to the next PE along a ring. When few edges are left to find, the PEs form
// groups, and all PEs of a group send their parts to the leader of the group. PEs communicate by an
// Exchange, a class that transfers lists by Atoll (one_sided.hpp) or by another library. The
// template parameter How is a class that chooses the method of each step. The class `parameters` is
// an example.

/// Chooses the fastest known method for each step of the algorithm. Each other class for the
/// template parameter How must have the same members.
struct parameters {
  /// When an iteration finds at most this fraction of the largest possible number of forest edges,
  /// the iterations of all PEs end.
  double mst_threshold = 0.24;
  /// Largest fraction of a PE's components that moves in an iteration.
  double ring_fraction = 0.05;
  /// PE 0 finishes alone if the filter leaves at most `filter_finish` * a edges, where a is the
  /// average number of edges per PE before the filter. If the value is 0, PE 0 never finishes
  /// alone.
  double filter_finish = 1;

  /// Returns true if each PE first drops edges that cannot be in the forest. A PE drops edges only
  /// if the filter is expected to save time.
  bool filters() const { return true; }

  /// Returns true if PE 0 may finish alone after the filter.
  bool may_finish_early() const { return filter_finish > 0; }

  /// Joins the components of a part. The whole forest has at most `all` edges.
  template <class Word>
  contraction<Word> contract(part<Word>& mine, double /*all*/) const {
    contraction<Word> joining(mine);
    joining.in_order();
    return joining;
  }

  /// Returns true if fewer PEs should continue after an iteration. The iteration has found `more`
  /// edges of the forest, `missing` edges are not yet found, and the forest has at most `all`
  /// edges.
  bool is_little_left(double more, double /*missing*/, double all) const {
    return more <= mst_threshold * all;
  }

  /// Returns the number of PEs in a group. All PEs of a group send their parts to the leader of the
  /// group. `pes` is the number of PEs that still have parts of the graph.
  std::size_t group_of(std::size_t pes) const { return pes; }
};

/// Seconds that one PE spent on each phase.
struct phase_seconds {
  double filter = 0;
  double build = 0;
  double contract = 0;
  double ghosts = 0;
  double merge = 0;
  double ring = 0;
  double post = 0;
};

template <class Word, class Exchange, class How>
class mnd {
 public:
  template <class T>
  using task = typename Exchange::template task<T>;

  mnd(part<Word>& mine, Exchange& others, const How& how)
      : part_(mine), others_(others), how_(how) {
    for (int pe = 0; pe < others.pes(); ++pe) active_.push_back(pe);
  }

  /// Finds the forest of a graph of `vertices` vertices. After the call, each edge of the forest is
  /// in the list `part::chosen` of exactly one PE. Every PE calls this function.
  task<void> all_run(std::uint64_t vertices) {
    tree_edges_ = vertices == 0 ? 0.0 : static_cast<double>(vertices - 1);
    while (active_.size() > 1) {
      for (bool done = false; !done; ++iterations_) {
        co_await all_contract();
        co_await all_move_along_ring();
        done = co_await all_have_little_left();
      }
      co_await all_hand_over();
    }
    lap(nullptr);
    const auto last = how_.contract(part_, 0);
    charge(others_, last.work());
    lap(&seconds_.contract);
  }

  const phase_seconds& seconds() const { return seconds_; }
  std::uint64_t iterations() const { return iterations_; }

 private:
  bool is_active() const { return std::ranges::find(active_, part_.rank) != active_.end(); }
  int next_of(int pe, std::size_t steps) const {
    const auto place = std::ranges::find(active_, pe) - active_.begin();
    return active_[(static_cast<std::size_t>(place) + steps) % active_.size()];
  }

  /// Performs phases 1 to 3: joins components, sends their new names to other PEs, and removes
  /// multiple edges.
  task<void> all_contract() {
    lap(nullptr);
    const auto done = how_.contract(part_, tree_edges_);
    charge(others_, done.work());
    lap(&seconds_.contract);
    const auto news = renamings_for(part_, done, others_.pes());
    charge_look();
    ghost_update<Word> ghosts(part_);
    const auto apply = [&](int, std::span<const renaming<Word>> piece) {
      ghosts.apply(piece);
      others_.charge(work_kind::component_visited, piece.size());
    };
    co_await others_.all_pairs(active_, news, apply, [&] { ghosts.begin(done); });
    charge_renaming();
    ghosts.finish();
    lap(&seconds_.ghosts);
    merge();
    lap(&seconds_.merge);
  }

  /// Performs phase 4: some components move along the ring.
  task<void> all_move_along_ring() {
    if (!is_active()) co_return;
    const int next = next_of(part_.rank, 1);
    ring_move<Word> move(part_, next, how_.ring_fraction);
    const auto hear = [&](int from, std::span<const Word> names) {
      move.apply(names, next_of(from, 1));
      others_.charge(work_kind::component_visited, names.size());
    };
    const auto notices = move.notices(others_.pes());
    charge_look();
    charge_look();
    co_await others_.all_pairs(active_, notices, hear);
    const int before = next_of(part_.rank, active_.size() - 1);
    charge_look();
    const auto leaving = move.take();
    parcel_arrival<Word> arriving(part_);
    arriving.begin();
    const auto add_places = [&](int, auto piece) { arriving.add_places(piece); };
    const std::span<const component_place<Word>> places(leaving.places);
    co_await others_.shift(next, before, places, add_places, [&] { move.forget(); });
    const auto add_edges = [&](int, auto piece) { add_relabelled(arriving, piece, 0); };
    const std::span<const edge_record<Word>> edges(leaving.edges);
    co_await others_.shift(next, before, edges, add_edges, [&] { settle(arriving); });
    lap(&seconds_.ring);
  }

  void settle(parcel_arrival<Word>& arriving) {
    charge_renaming();
    arriving.settle();
  }

  void add_relabelled(parcel_arrival<Word>& arriving, std::span<const edge_record<Word>> edges,
                      std::size_t places_before) {
    arriving.add_edges(edges, places_before);
    others_.charge(work_kind::edge_relabelled, edges.size());
  }

  /// Performs phase 5: returns true if fewer PEs should continue.
  task<bool> all_have_little_left() {
    const auto found = static_cast<double>(co_await others_.sum(part_.chosen.size()));
    const double more = found - found_before_;
    found_before_ = found;
    co_return how_.is_little_left(more, tree_edges_ - found, tree_edges_);
  }

  /// Performs phase 6. The members of each group send their parts to the leader of the group. In
  /// the tables of all PEs, each owner is replaced by the leader of the owner's group.
  task<void> all_hand_over() {
    lap(nullptr);
    const std::size_t group = how_.group_of(active_.size());
    std::vector<int> leader_of(static_cast<std::size_t>(others_.pes()));
    std::vector<int> leaders;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (i % group == 0) leaders.push_back(active_[i]);
      leader_of[static_cast<std::size_t>(active_[i])] = leaders.back();
    }
    for (auto& owner : part_.owners) owner = leader_of[static_cast<std::size_t>(owner)];
    std::vector<int> members;  // members of this PE's group, the leader first
    for (const int pe : active_)
      if (is_active() && leader_of[static_cast<std::size_t>(pe)] ==
                             leader_of[static_cast<std::size_t>(part_.rank)])
        members.push_back(pe);
    co_await all_gather_parts(members);
    active_ = leaders;
    lap(&seconds_.post);
  }

  /// Sends the parts of the members of each group to the leader of the group (transfer X4).
  task<void> all_gather_parts(const std::vector<int>& members) {
    const bool leads = !members.empty() && members.front() == part_.rank;
    parcel<Word> leaving;
    if (!leads) {
      charge_look();
      leaving = pack(part_, [](const auto&) { return true; });
    }
    const std::span<const component_place<Word>> own_places(leaving.places);
    const auto places = co_await others_.gather(members, own_places);
    const std::span<const edge_record<Word>> own_edges(leaving.edges);
    parcel_arrival<Word> arriving(part_);
    const auto edges = co_await others_.gather(members, own_edges, [&] {
      arriving.begin();
      arriving.add_places(places.items);
      settle(arriving);
    });
    if (!leads) co_return forget();
    for (std::size_t i = 0; i + 1 < edges.begin.size(); ++i)
      add_relabelled(arriving, edges.of(i), places.begin[i]);
  }

  void merge() {
    others_.charge(work_kind::edge_merged, part_.edges.size());
    others_.charge(work_kind::component_visited, part_.names.size());
    remove_multiple_edges(part_);
  }

  /// Reports to the cost model the work of one scan over all edges of this PE's part of the graph.
  void charge_look() {
    others_.charge(work_kind::edge_scanned, part_.edges.size());
    others_.charge(work_kind::component_visited, part_.names.size());
  }

  /// Reports to the cost model the work of renaming all edges and names of this PE's part of the
  /// graph.
  void charge_renaming() {
    others_.charge(work_kind::edge_relabelled, part_.edges.size());
    others_.charge(work_kind::component_visited, part_.names.size());
  }

  // Frees the memory of this PE's part, after the part was sent to the leader.
  void forget() {
    part_.names = {};
    part_.owners = {};
    part_.edges = {};
  }

  /// Adds to `*to` the seconds that have passed since the last call. A null `to` only starts the
  /// measurement.
  void lap(double* to) {
    const double now = others_.now();
    if (to != nullptr) *to += now - lap_;
    lap_ = now;
  }

  part<Word>& part_;
  Exchange& others_;
  const How how_;
  std::vector<int> active_;
  double tree_edges_ = 0;
  double found_before_ = 0;
  double lap_ = 0;
  std::uint64_t iterations_ = 0;
  phase_seconds seconds_;
};

}  // namespace atl::kernels::mst
