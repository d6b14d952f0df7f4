#pragma once
// Joins components within the part of the graph that one PE has, by Boruvka's algorithm, as the
// paper does. In each round, every component is joined with another component along its lightest
// edge.

#include "atoll/kernels/mst/contract.hpp"

namespace atl::reproduction {

namespace mst = kernels::mst;

template <class Word>
class contraction_by_rounds : public mst::contraction<Word> {
 public:
  using mst::contraction<Word>::contraction;

  /// Runs rounds until a round joins fewer than `fewest` pairs of components, or no pair at all.
  void by_rounds(std::uint64_t fewest) {
    for (std::uint64_t joined = fewest + 1; joined != 0 && joined >= fewest;) {
      huge_vector<mst::lightest_edge<Word>> lightest(this->above_.size());
      this->drop_inner_edges([&](const auto& edge, Word place) {
        lightest[edge.a].offer(key_of(edge), place);
        lightest[edge.b].offer(key_of(edge), place);
      });
      joined = join(lightest);
      this->flatten();
    }
    this->drop_inner_edges([](const auto&, Word) {});
  }

 private:
  /// Joins components along their lightest edges. Returns the number of joined pairs of components.
  std::uint64_t join(const huge_vector<mst::lightest_edge<Word>>& lightest) {
    const auto& part = this->part_;
    std::uint64_t joined = 0;
    for (std::size_t i = 0; i < lightest.size(); ++i) {
      if (lightest[i].key == mst::edge_key<Word>::none || !part.owns(static_cast<Word>(i)))
        continue;
      const auto& edge = part.edges[lightest[i].edge];
      if (!part.owns(edge.a) || !part.owns(edge.b)) continue;
      const Word a = this->find(edge.a);
      const Word b = this->find(edge.b);
      if (a == b) continue;  // the two components are joined already
      this->take(edge, a, b);
      ++joined;
    }
    return joined;
  }
};

}  // namespace atl::reproduction
