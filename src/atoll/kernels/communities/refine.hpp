#pragma once
// Refinement (Traag, Waltman, van Eck 2019) divides each community into well-connected parts. The
// parts become the vertices of the next level. At first, every vertex is a part of its own. A part
// that has only one vertex may join another part of its community: the part that increases the
// quality most. A part that has several vertices never splits or joins another part, so every part
// stays connected.

#include "atoll/kernels/communities/classes.hpp"
#include "atoll/kernels/communities/tally.hpp"

#include <numeric>

namespace atl::kernels::communities {

template <class Id>
class refinement {
 public:
  /// `totals` has the mass of each community. `coefficient` is the factor in the gain of a move
  /// (see `local_moving`).
  refinement(const level<Id>& on, const huge_vector<std::int64_t>& totals, double coefficient,
             std::uint64_t key)
      : on_(on),
        totals_(totals),
        coefficient_(coefficient),
        key_(key),
        part_(on.vertices()),
        part_totals_(on.mass),
        grown_(on.vertices()) {
    std::iota(part_.begin(), part_.end(), Id{0});
  }

  /// Returns, for each vertex, its part: the set of vertices that becomes one vertex of the next
  /// level. A part is identified by one of its vertices. Every PE calls this function.
  task<huge_vector<Id>> all_refine();

 private:
  bool is_single(Id vertex) const { return part_[vertex] == vertex && !grown_[vertex]; }
  Id best_for(std::uint64_t row, std::uint64_t moving_class);
  bool add_arcs(std::uint64_t row, std::uint64_t moving_class);
  Id best_in_tally(Id vertex) const;
  void apply(move_of<Id> move);
  void refine_one_by_one();
  task<> all_refine_by_classes();
  task<> decide(std::span<const std::uint64_t> rows, std::uint64_t moving_class);

  /// Value of the parameter `moving_class` if vertices move one by one.
  static constexpr std::uint64_t k_no_class = k_classes;

  const level<Id>& on_;
  const huge_vector<std::int64_t>& totals_;
  double coefficient_;
  std::uint64_t key_;
  huge_vector<Id> part_;
  huge_vector<std::int64_t> part_totals_;
  vertex_bits grown_;  // parts (sets of vertices) that another vertex has joined
  tally<Id> tally_;
  std::vector<move_of<Id>> moves_;
};

/// Adds up the weights of the arcs to each part (set of vertices) that the vertex of `row` may
/// join. A vertex may join only a part within its own community. The vertices of class
/// `moving_class` move at the same time, so a part that is a single vertex of this class cannot be
/// joined. Returns true if the vertex is well connected with its community.
template <class Id>
bool refinement<Id>::add_arcs(std::uint64_t row, std::uint64_t moving_class) {
  const Id vertex = on_.vertex_of(row);
  const Id community = on_.community[vertex];
  std::int64_t inside = 0;
  tally_.start(on_.degree(row) + 1);
  on_.for_each_arc(row, [&](Id target, std::int64_t weight) {
    if (on_.community[target] != community) return;
    inside += weight;
    const bool moves_too =
        moving_class != k_no_class && is_single(target) && class_of(target, key_) == moving_class;
    if (!moves_too) tally_.add(part_[target], weight);
  });
  const std::int64_t mass = on_.mass[vertex];
  return static_cast<double>(inside) >=
         coefficient_ * static_cast<double>(mass) * static_cast<double>(totals_[community] - mass);
}

template <class Id>
Id refinement<Id>::best_in_tally(Id vertex) const {
  const double share = coefficient_ * static_cast<double>(on_.mass[vertex]);
  double most = 0;
  Id best = vertex;
  tally_.for_each([&](Id part, std::int64_t weight) {
    const double gain =
        static_cast<double>(weight) - share * static_cast<double>(part_totals_[part]);
    if (gain <= 0 || gain < most) return;
    const auto order = [&](Id p) { return std::pair(hash(p ^ key_), p); };
    if (gain == most && order(best) < order(part)) return;
    most = gain;
    best = part;
  });
  return best;
}

template <class Id>
Id refinement<Id>::best_for(std::uint64_t row, std::uint64_t moving_class) {
  const Id vertex = on_.vertex_of(row);
  if (!is_single(vertex) || !add_arcs(row, moving_class)) return vertex;
  return best_in_tally(vertex);
}

template <class Id>
void refinement<Id>::apply(move_of<Id> move) {
  part_[move.vertex] = move.to;
  part_totals_[move.vertex] -= on_.mass[move.vertex];
  part_totals_[move.to] += on_.mass[move.vertex];
  grown_.set(move.to);
}

template <class Id>
void refinement<Id>::refine_one_by_one() {
  for (const Id vertex : vertices_by_hash(on_, key_, [](Id) { return true; })) {
    const Id to = best_for(vertex, k_no_class);
    if (to != vertex) apply({vertex, to});
  }
}

template <class Id>
task<> refinement<Id>::decide(std::span<const std::uint64_t> rows, std::uint64_t moving_class) {
  const auto decide_some = [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t arcs = 0;
    for (const std::uint64_t row : rows.subspan(begin, end - begin)) {
      const Id to = best_for(row, moving_class);
      arcs += on_.degree(row);
      if (to != on_.vertex_of(row)) moves_.push_back({on_.vertex_of(row), to});
    }
    charge(work::edge_scanned, arcs);
  };
  co_await graph::in_stretches(0, rows.size(), decide_some, k_rows);
}

template <class Id>
task<> refinement<Id>::all_refine_by_classes() {
  rows_by_class rows;
  co_await rows.assign(on_, key_, [](Id) { return true; });
  for (std::uint64_t k = 0; k < k_classes; ++k) {
    moves_.clear();
    co_await decide(rows[k], k);
    const std::span<const move_of<Id>> mine(moves_);
    co_await all_apply(mine, [this](move_of<Id> one) { apply(one); });
  }
}

template <class Id>
task<huge_vector<Id>> refinement<Id>::all_refine() {
  if (on_.everywhere)
    refine_one_by_one();
  else
    co_await all_refine_by_classes();
  co_return std::move(part_);
}

}  // namespace atl::kernels::communities
