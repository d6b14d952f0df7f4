#pragma once
// Finds a minimum spanning forest, and returns its edges. The templates are compiled once for each
// width of numbers.

#include "atoll/kernels/mst/build.hpp"
#include "atoll/kernels/mst/one_sided.hpp"
#include "atoll/kernels/mst/run.hpp"

namespace atl::kernels::mst {

/// Returns the edges of the forest that this PE has numbered, in the order of their numbers. Every
/// PE sends the numbers of the edges that it has found to the PEs that have numbered these edges.
/// Every PE calls this function.
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

/// The data of a PE that are kept from one run on a graph to the next run.
template <class Word>
struct forest_part {
  huge_vector<raw_edge<Word>> input;
  part<Word> mine;
  numbered_edges<Word> numbered;
  std::optional<one_sided_exchange> others;

  /// Returns the object that transfers lists between PEs in all runs (exchange.hpp). Only the first
  /// call makes the object, because `memory` must not be shared by several objects.
  one_sided_exchange& by(const one_sided_memory& memory, int chunks) {
    if (!others) others.emplace(memory, chunks);
    return *others;
  }
};

/// Facts about a graph that every PE needs for a run.
struct forest_facts {
  std::uint64_t vertices = 0;
  std::int64_t lightest = 0;  ///< smallest weight of all edges
  /// Whether the caller needs the forest's edges after the run, and not only their ids.
  bool keeps_numbers = false;
};

/// Finds the forest of the input of all PEs. The call can be repeated with the same input. Every PE
/// calls this function.
template <class Word, class Exchange, class How>
task<run_outcome> all_run_on(forest_part<Word>& here, Exchange& others, How how,
                             forest_facts known) {
  here.mine = {};
  here.numbered = {};
  co_return co_await all_run(here.mine, others, how, here.input, known.vertices, known.lightest,
                             known.keeps_numbers ? &here.numbered : nullptr);
}

// The templates are compiled once for each width of vertex and edge numbers, in mst.cpp.
#define ATOLL_MST_FIND(kind, Word, Exchange, How)                                                  \
  kind template task<run_outcome> all_run(part<Word>&, Exchange&, const How&,                      \
                                          const huge_vector<raw_edge<Word>>&, std::uint64_t,       \
                                          std::int64_t, numbered_edges<Word>*);
#define ATOLL_MST_FOREST(kind, Word)                                                               \
  ATOLL_MST_FIND(kind, Word, one_sided_exchange, parameters)                                       \
  kind template task<huge_vector<raw_edge<Word>>> all_forest_edges(                                \
      const part<Word>&, const numbered_edges<Word>&, one_sided_exchange&);
ATOLL_MST_FOREST(extern, std::uint32_t)
ATOLL_MST_FOREST(extern, std::uint64_t)

}  // namespace atl::kernels::mst
