#pragma once
// Minimum spanning forests by the variants of the papers. The code is compiled for both exchanges
// between PEs.

#include "atoll/kernels/mst/result.hpp"
#include "reproduction/mst/two_sided.hpp"
#include "reproduction/mst/ways.hpp"

// The templates are compiled once for each width of vertex numbers and each exchange, in find.cpp.
#define ATOLL_MST_WAYS(kind)                                                                       \
  namespace atl::kernels::mst {                                                                    \
  ATOLL_MST_FIND(kind, std::uint32_t, one_sided_exchange, reproduction::mst_ways)                  \
  ATOLL_MST_FIND(kind, std::uint64_t, one_sided_exchange, reproduction::mst_ways)                  \
  ATOLL_MST_FIND(kind, std::uint32_t, reproduction::two_sided_exchange, reproduction::mst_ways)    \
  ATOLL_MST_FIND(kind, std::uint64_t, reproduction::two_sided_exchange, reproduction::mst_ways)    \
  }
ATOLL_MST_WAYS(extern)
