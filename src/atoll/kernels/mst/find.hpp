#pragma once
// Minimum spanning forests, compiled for both exchanges between PEs.

#include "atoll/kernels/mst/forest.hpp"
#include "atoll/kernels/mst/one_sided.hpp"
#include "atoll/kernels/mst/run.hpp"
#include "atoll/kernels/mst/two_sided.hpp"

namespace atl::kernels::mst {

// Compiled once for each width of ids and each exchange, in mst.cpp.
#define ATOLL_MST_FIND(kind, Word, Exchange)                                                       \
  kind template task<run_outcome> all_run(part<Word>&, Exchange&, const parameters&,               \
                                          const huge_vector<raw_edge<Word>>&, std::uint64_t,       \
                                          std::int64_t, numbered_edges<Word>*);                    \
  kind template task<huge_vector<raw_edge<Word>>> all_forest_edges(                                \
      const part<Word>&, const numbered_edges<Word>&, Exchange&);
ATOLL_MST_FIND(extern, std::uint32_t, one_sided_exchange)
ATOLL_MST_FIND(extern, std::uint64_t, one_sided_exchange)
ATOLL_MST_FIND(extern, std::uint32_t, two_sided_exchange)
ATOLL_MST_FIND(extern, std::uint64_t, two_sided_exchange)

}  // namespace atl::kernels::mst
