#pragma once
// A minimum spanning forest over all PEs by MND-MST: each PE grows components within its part as
// far as it can alone, tells the others their new names, moves some along a ring, and, when little
// is left, hands its part over to fewer PEs. How PEs talk is an Exchange (one_sided.hpp), over
// Atoll or something else; how steps are done is a How, such as `parameters`. All else is the same
// for all of them.

#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/ghosts.hpp"
#include "atoll/kernels/mst/merge.hpp"
#include "atoll/kernels/mst/ring.hpp"

namespace atl::kernels::mst {

/// A How: the best ways that are known. Others have the same members.
struct parameters {
  double mst_threshold = 0.24;  ///< an iteration that finds fewer edges is the last, of all of them
  double ring_fraction = 0.05;  ///< of a PE's components move at most
  /// PE 0 takes over at once where the filter leaves no more edges in all than so many times those
  /// that a PE had; 0: never.
  double filter_finish = 1;

  /// Whether each PE first drops those of its edges that cannot be in the forest, where that pays.
  bool filters() const { return true; }

  /// Whether PE 0 may take over behind the filter.
  bool may_finish_early() const { return filter_finish > 0; }

  /// Lets components of a part grow together, in a forest of `all` edges.
  template <class Word>
  contraction<Word> contract(part<Word>& mine, double /*all*/) const {
    contraction<Word> joining(mine);
    joining.in_order();
    return joining;
  }

  /// Whether fewer PEs go on, of a forest of `all` edges, behind an iteration that has found `more`
  /// of them; `missing` are still to be found.
  bool is_little_left(double more, double /*missing*/, double all) const {
    return more <= mst_threshold * all;
  }

  /// How many of the PEs that have parts hand them over to one.
  std::size_t group_of(std::size_t pes) const { return pes; }
};

/// What one PE spent on what, in seconds.
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

  /// Finds the forest of a graph of so many vertices; then `chosen` of all parts is its edges.
  /// Every PE calls it.
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

  /// Phases 1 to 3.
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

  /// Phase 4.
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

  /// Phase 5.
  task<bool> all_have_little_left() {
    const auto found = static_cast<double>(co_await others_.sum(part_.chosen.size()));
    const double more = found - found_before_;
    found_before_ = found;
    co_return how_.is_little_left(more, tree_edges_ - found, tree_edges_);
  }

  /// Phase 6. The owner that any PE knows hands over to the leader of its group.
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
    std::vector<int> members;  // of this PE's group, its leader first
    for (const int pe : active_)
      if (is_active() && leader_of[static_cast<std::size_t>(pe)] ==
                             leader_of[static_cast<std::size_t>(part_.rank)])
        members.push_back(pe);
    co_await all_gather_parts(members);
    active_ = leaders;
    lap(&seconds_.post);
  }

  /// What came of a PE goes to its leader (X4).
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

  /// One at all that the part has.
  void charge_look() {
    others_.charge(work_kind::edge_scanned, part_.edges.size());
    others_.charge(work_kind::component_visited, part_.names.size());
  }

  /// Of all that the part has.
  void charge_renaming() {
    others_.charge(work_kind::edge_relabelled, part_.edges.size());
    others_.charge(work_kind::component_visited, part_.names.size());
  }

  // Of PEs that take no further part.
  void forget() {
    part_.names = {};
    part_.owners = {};
    part_.edges = {};
  }

  /// Adds the time since the last one; null: begins.
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
