#pragma once
// Minimum spanning forests, compiled.

#include "atoll/kernels/mst/forest.hpp"
#include "atoll/kernels/mst/one_sided.hpp"
#include "atoll/kernels/mst/run.hpp"

namespace atl::kernels::mst {

/// What a PE has from one run on a graph to the next.
template <class Word>
struct forest_part {
  huge_vector<raw_edge<Word>> input;
  part<Word> mine;
  numbered_edges<Word> numbered;
  std::optional<one_sided_exchange> others;

  /// The exchange of all runs: a memory has one.
  one_sided_exchange& by(const one_sided_memory& memory, int chunks) {
    if (!others) others.emplace(memory, chunks);
    return *others;
  }
};

/// What runs on a graph need to know on all PEs.
struct forest_facts {
  std::uint64_t vertices = 0;
  std::int64_t lightest = 0;   ///< of the weights
  bool keeps_numbers = false;  ///< what the ids of chosen edges stand for is asked for afterwards
};

/// Finds the forest of the input of all PEs anew. Every PE calls it.
template <class Word, class Exchange, class How>
task<run_outcome> all_run_on(forest_part<Word>& here, Exchange& others, How how,
                             forest_facts known) {
  here.mine = {};
  here.numbered = {};
  co_return co_await all_run(here.mine, others, how, here.input, known.vertices, known.lightest,
                             known.keeps_numbers ? &here.numbered : nullptr);
}

// Compiled once for each width of ids, in mst.cpp.
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
