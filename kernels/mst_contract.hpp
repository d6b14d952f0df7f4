#pragma once
// Phase 1: Boruvka within a part, without communication. The lightest edge of a component, over all
// its edges, is in the forest by the cut property; where it leads to a ghost, the component waits.

#include "atoll/kernels/mst_part.hpp"

namespace atl::kernels::mst {

/// The lightest edge of a component so far.
template <class Word>
struct lightest_edge {
  typename edge_key<Word>::type key = edge_key<Word>::none;
  Word edge = 0;  ///< its place

  void offer(typename edge_key<Word>::type other, Word place) {
    if (other < key) *this = {other, place};
  }
};

/// Grows components together within a part.
template <class Word>
class contraction {
 public:
  explicit contraction(part<Word>& of) : part_(of), above_(of.names.size()) {
    for (std::size_t i = 0; i < above_.size(); ++i) above_[i] = static_cast<Word>(i);
    drop_inner_edges();
  }

  /// Rounds until one joins fewer than `fewest` components, or none. The edges stand between the
  /// roots then; the table is as it was.
  void run(std::uint64_t fewest) {
    for (std::uint64_t joined = fewest + 1; joined != 0 && joined >= fewest;) {
      joined = join();
      if (joined != 0) drop_inner_edges();
    }
  }

  /// The position whose component the one at `position` has become part of: the smallest of it.
  Word root_of(Word position) const { return above_[position]; }

 private:
  /// Edges between roots, and for each root the lightest.
  void drop_inner_edges() {
    lightest_.assign(above_.size(), {});
    std::size_t kept = 0;
    for (const auto& each : part_.edges) {
      const Word a = above_[each.a];
      const Word b = above_[each.b];
      if (a == b) continue;
      const auto key = key_of(each);
      lightest_[a].offer(key, static_cast<Word>(kept));
      lightest_[b].offer(key, static_cast<Word>(kept));
      part_.edges[kept++] = {a, b, each.weight, each.id};
    }
    part_.edges.resize(kept);
  }

  /// How many pairs of components became one.
  std::uint64_t join() {
    std::uint64_t joined = 0;
    for (std::size_t i = 0; i < above_.size(); ++i) {
      const auto& lightest = lightest_[i];
      if (lightest.key == edge_key<Word>::none || !part_.owns(static_cast<Word>(i))) continue;
      const auto& edge = part_.edges[lightest.edge];
      if (part_.owns(edge.a) && part_.owns(edge.b) && unite(edge.a, edge.b)) {
        part_.chosen.push_back(edge.id);
        part_.chosen_weight += edge.weight;
        ++joined;
      }
    }
    // A root is the smallest of its component, so what is above a position is done before it.
    for (Word& above : above_) above = above_[above];
    return joined;
  }

  /// False: they are one already, for both have chosen the same edge.
  bool unite(Word a, Word b) {
    a = find(a);
    b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

  Word find(Word position) {
    while (above_[position] != position) position = above_[position] = above_[above_[position]];
    return position;
  }

  part<Word>& part_;
  huge_vector<Word> above_;
  huge_vector<lightest_edge<Word>> lightest_;
};

}  // namespace atl::kernels::mst
