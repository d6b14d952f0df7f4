#pragma once
// Local moving (Traag, Waltman, van Eck 2019, section "Leiden algorithm"). Each vertex moves to the
// neighbouring community that increases the quality most. In a round, each vertex may move once.
// Rounds are repeated until few vertices move. After the first round, a round examines a vertex
// only if one of its neighbours has moved to a community other than the vertex's own.

#include "atoll/kernels/communities/classes.hpp"
#include "atoll/kernels/communities/tally.hpp"

namespace atl::kernels::communities {

/// Largest number of rounds, for two kinds of graphs. `k_rounds` holds for a graph that is divided
/// over PEs, and `k_rounds_alone` holds for a graph of which every PE has a copy. In a copied
/// graph, rounds usually end earlier, because no vertex moves any more.
inline constexpr std::uint64_t k_rounds = 5;
inline constexpr std::uint64_t k_rounds_alone = 100;

/// In a graph that is divided over PEs, rounds end after a round in which at most one of every
/// `k_part_that_moves` vertices has moved.
inline constexpr std::uint64_t k_part_that_moves = 200;

template <class Id>
class local_moving {
 public:
  /// If a vertex of mass a moves to a community of mass b, the gain is w - `coefficient` * a * b.
  /// In the gain, w is the sum of the weights of the arcs between the vertex and the community.
  local_moving(level<Id>& on, double coefficient, std::uint64_t key)
      : on_(on),
        coefficient_(coefficient),
        key_(key),
        totals_(on.vertices()),
        active_(on.vertices()),
        touched_(on.vertices()) {
    for (std::uint64_t v = 0; v < on.vertices(); ++v) totals_[on.community[v]] += on.mass[v];
  }

  /// Moves vertices, round by round, until a round has few moves or the largest number of rounds is
  /// reached. Every PE calls this function.
  task<> all_move();

  /// Returns the mass of each community.
  const huge_vector<std::int64_t>& totals() const { return totals_; }

 private:
  Id best_for(std::uint64_t row);
  Id best_in_tally(Id vertex, Id own) const;
  void apply(move_of<Id> move);
  void touch_neighbours(std::uint64_t row);
  std::uint64_t move_one_by_one();
  task<std::uint64_t> all_move_by_classes();
  task<> decide(std::span<const std::uint64_t> rows);

  level<Id>& on_;
  double coefficient_;
  std::uint64_t key_;
  std::uint64_t round_key_ = 0;
  huge_vector<std::int64_t> totals_;
  vertex_bits active_;   // vertices to examine in this round
  vertex_bits touched_;  // vertices to examine in the next round
  tally<Id> tally_;
  rows_by_class rows_;
  std::vector<move_of<Id>> moves_;
};

/// Returns the community with the largest gain for the vertex of the row. If no other community has
/// a larger gain than the vertex's own community, the vertex stays. Among other communities of
/// equal gain, the one with the smallest hash is chosen.
template <class Id>
Id local_moving<Id>::best_for(std::uint64_t row) {
  const Id vertex = on_.vertex_of(row);
  const Id own = on_.community[vertex];
  tally_.start(on_.degree(row) + 1);
  tally_.add(own, 0);
  on_.for_each_arc(
      row, [&](Id target, std::int64_t weight) { tally_.add(on_.community[target], weight); });
  return best_in_tally(vertex, own);
}

template <class Id>
Id local_moving<Id>::best_in_tally(Id vertex, Id own) const {
  const std::int64_t mass = on_.mass[vertex];
  const double share = coefficient_ * static_cast<double>(mass);
  const double stay =
      static_cast<double>(tally_[own]) - share * static_cast<double>(totals_[own] - mass);
  double most = stay;
  Id best = own;
  tally_.for_each([&](Id community, std::int64_t weight) {
    if (community == own) return;
    const double gain =
        static_cast<double>(weight) - share * static_cast<double>(totals_[community]);
    if (gain <= stay || gain < most) return;
    if (gain == most) {
      const auto order = [&](Id c) { return std::pair(hash(c ^ round_key_), c); };
      if (order(best) < order(community)) return;
    }
    most = gain;
    best = community;
  });
  // If the gain is negative in every community and the community with the vertex's own number is
  // empty, the vertex moves to that community.
  return most < 0 && totals_[vertex] == 0 ? vertex : best;
}

template <class Id>
void local_moving<Id>::apply(move_of<Id> move) {
  Id& community = on_.community[move.vertex];
  totals_[community] -= on_.mass[move.vertex];
  totals_[move.to] += on_.mass[move.vertex];
  community = move.to;
}

/// Marks the neighbours of the vertex of `row` that are in other communities, so that the next
/// round examines them.
template <class Id>
void local_moving<Id>::touch_neighbours(std::uint64_t row) {
  const Id community = on_.community[on_.vertex_of(row)];
  on_.for_each_arc(row, [&](Id target, std::int64_t) {
    if (on_.community[target] != community) touched_.set(target);
  });
}

template <class Id>
std::uint64_t local_moving<Id>::move_one_by_one() {
  std::uint64_t moves = 0;
  for (const Id vertex : vertices_by_hash(on_, round_key_, [&](Id v) { return active_[v]; })) {
    const Id to = best_for(vertex);
    if (to == on_.community[vertex]) continue;
    apply({vertex, to});
    touched_.reset(vertex);
    touch_neighbours(vertex);
    ++moves;
  }
  return moves;
}

/// Decides where the vertices of `rows` move, and adds the moves to `moves_`.
template <class Id>
task<> local_moving<Id>::decide(std::span<const std::uint64_t> rows) {
  const auto decide_some = [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t arcs = 0;
    for (const std::uint64_t row : rows.subspan(begin, end - begin)) {
      const Id vertex = on_.vertex_of(row);
      const Id to = best_for(row);
      arcs += on_.degree(row);
      if (to != on_.community[vertex]) moves_.push_back({vertex, to});
    }
    charge(work::edge_scanned, arcs);
  };
  co_await graph::in_stretches(0, rows.size(), decide_some, k_rows);
}

/// Performs a round for one class of vertices, which move together, after another. Returns the
/// number of moves of all PEs.
template <class Id>
task<std::uint64_t> local_moving<Id>::all_move_by_classes() {
  co_await rows_.assign(on_, round_key_, [&](Id v) { return active_[v]; });
  std::uint64_t moves = 0;
  for (std::uint64_t k = 0; k < k_classes; ++k) {
    moves_.clear();
    co_await decide(rows_[k]);
    const std::span<const move_of<Id>> mine(moves_);
    moves += co_await all_apply(mine, [this](move_of<Id> one) { apply(one); });
    const auto touch = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) touch_neighbours(moves_[i].vertex - on_.first);
    };
    co_await graph::in_stretches(0, moves_.size(), touch, k_rows);
  }
  co_await touched_.all_unite(on_.shape);
  co_return moves;
}

template <class Id>
task<> local_moving<Id>::all_move() {
  active_.set_all();
  const std::uint64_t rounds = on_.everywhere ? k_rounds_alone : k_rounds;
  const std::uint64_t few = on_.everywhere ? 0 : on_.vertices() / k_part_that_moves;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    round_key_ = random_at(key_, round);
    touched_.reset_all();
    const std::uint64_t moves = on_.everywhere ? move_one_by_one() : co_await all_move_by_classes();
    if (moves <= few) co_return;
    std::swap(active_, touched_);
    co_await yield();
  }
}

}  // namespace atl::kernels::communities
