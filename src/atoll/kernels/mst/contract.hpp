#pragma once
// In phase 1 of the algorithm MND-MST (mnd.hpp), each PE joins components of its part without
// communication. By the cut property, the lightest edge of a component is in the forest. If the
// lightest edge of a component leads to a ghost (a component of another PE), the component *waits*:
// this PE cannot use the edge in this phase.

#include "atoll/kernels/mst/lists.hpp"
#include "atoll/kernels/mst/part.hpp"

namespace atl::kernels::mst {

/// Joins components of one PE's part of the graph. After a contraction, in which components are
/// joined, the edges of the part connect roots of components. The part's table of names
/// (`part::names`) still has the names of all former components.
template <class Word>
class contraction {
 public:
  explicit contraction(part<Word>& of) : part_(of), above_(of.names.size()) {
    for (std::size_t i = 0; i < above_.size(); ++i) above_[i] = static_cast<Word>(i);
  }

  /// Visits each edge at most once, the lightest first. Stops when the lightest edge of every
  /// component leads to another PE. The first visited edge that leads out of a component is the
  /// lightest edge of the component. If one of two joined components waits (its lightest edge leads
  /// to another PE), the new component waits, too.
  void in_order() {
    work_.edges_sorted += sort_by_weight(
        part_.edges, [](const auto& a, const auto& b) { return key_of(a) < key_of(b); },
        part_.spare);
    huge_vector<std::uint8_t> waits(above_.size());
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      waits[i] = part_.owns(static_cast<Word>(i)) ? 0 : 1;
      left += 1 - waits[i];
    }
    for (std::size_t i = 0; i < part_.edges.size() && left > 0; ++i) {
      const auto& edge = part_.edges[i];
      ++work_.edges_scanned;
      if (i + k_ahead < part_.edges.size()) {
        __builtin_prefetch(&above_[part_.edges[i + k_ahead].a]);
        __builtin_prefetch(&above_[part_.edges[i + k_ahead].b]);
      }
      const Word a = find(edge.a);
      const Word b = find(edge.b);
      if (a == b || (waits[a] != 0 && waits[b] != 0)) continue;
      --left;
      const bool joins = part_.owns(a) && part_.owns(b);
      const std::uint8_t wait = joins ? waits[a] | waits[b] : 1;
      if (joins) take(edge, a, b);
      waits[std::min(a, b)] = waits[std::max(a, b)] = wait;
    }
    flatten();
    drop_inner_edges([](const auto&, Word) {});
  }

  /// Returns the amounts of work since the object was made.
  const work_done& work() const { return work_; }

  /// Returns the root of the component that has the index `position` in the table of names. The
  /// root is the smallest index of all components that were joined into this component.
  Word root_of(Word position) const { return above_[position]; }

 protected:
  // Number of edges by which the prefetch is ahead of the loop.
  static constexpr std::size_t k_ahead = 16;

  /// Removes edges within components. Each remaining edge then connects two roots, and is passed to
  /// `visit` together with its new index in the part.
  template <class Visit>
  void drop_inner_edges(Visit visit) {
    work_.edges_scanned += part_.edges.size();
    std::size_t kept = 0;
    for (const auto& each : part_.edges) {
      const Word a = above_[each.a];
      const Word b = above_[each.b];
      if (a == b) continue;
      part_.edges[kept] = {a, b, each.weight, each.id};
      visit(part_.edges[kept], static_cast<Word>(kept));
      ++kept;
    }
    part_.edges.resize(kept);
  }

  void take(const edge_record<Word>& edge, Word a, Word b) {
    above_[std::max(a, b)] = std::min(a, b);
    part_.chosen.push_back(edge.id);
    part_.chosen_weight += edge.weight;
  }

  Word find(Word position) {
    while (above_[position] != position) position = above_[position] = above_[above_[position]];
    return position;
  }

  /// Makes each element of `above_` the root of its component. One ascending pass is enough: except
  /// at roots, an element refers to an earlier element, which the pass has already handled.
  void flatten() {
    work_.components_visited += above_.size();
    for (Word& above : above_) above = above_[above];
  }

  part<Word>& part_;
  huge_vector<Word> above_;
  work_done work_;
};

}  // namespace atl::kernels::mst
