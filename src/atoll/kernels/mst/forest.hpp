#pragma once
// Which edges of the graph the ids in `chosen` are.

#include "atoll/kernels/mst/build.hpp"

namespace atl::kernels::mst {

/// Of the forest, those that this PE has numbered, in that order. Every PE calls it.
template <class Word, class Exchange>
auto all_forest_edges(const part<Word>& mine, const numbered_edges<Word>& numbered,
                      Exchange& others) ->
    typename Exchange::template task<huge_vector<raw_edge<Word>>> {
  const auto owner_of = [&](Word id) {
    const auto& first = numbered.first;
    return static_cast<int>(std::ranges::upper_bound(first, id) - first.begin()) - 1;
  };
  lists<Word> told(others.pes());
  for (const Word id : mine.chosen) told.count(owner_of(id));
  told.allocate();
  for (const Word id : mine.chosen) told.add(owner_of(id), id);

  huge_vector<Word> ids(told.of(mine.rank).begin(), told.of(mine.rank).end());
  const auto add = [&](int, std::span<const Word> piece) {
    ids.insert(ids.end(), piece.begin(), piece.end());
  };
  std::vector<int> all;
  for (int pe = 0; pe < others.pes(); ++pe) all.push_back(pe);
  co_await others.all_pairs(all, told, add);
  co_await others.barrier();
  sort_by_key(ids, [](Word id) { return id; });
  huge_vector<raw_edge<Word>> edges;
  const auto first = numbered.first[static_cast<std::size_t>(mine.rank)];
  for (const Word id : ids) edges.push_back(numbered.edges[id - first]);
  co_return edges;
}

}  // namespace atl::kernels::mst
