#pragma once
// Minimum spanning forests by the variants of the algorithm MND-MST (ways.hpp). The code is
// compiled for both ways of exchanging lists between PEs: one-sided access and two-sided messages.

#include "atoll/kernels/mst/result.hpp"
#include "reproduction/mst/two_sided.hpp"
#include "reproduction/mst/ways.hpp"

// The templates are compiled once for vertex numbers of 32 bits and of 64 bits and for both
// exchanges, in find.cpp.
#define ATOLL_MST_WAYS(kind)                                                                       \
  namespace atl::kernels::mst {                                                                    \
  ATOLL_MST_FIND(kind, std::uint32_t, one_sided_exchange, reproduction::mst_ways)                  \
  ATOLL_MST_FIND(kind, std::uint64_t, one_sided_exchange, reproduction::mst_ways)                  \
  ATOLL_MST_FIND(kind, std::uint32_t, reproduction::two_sided_exchange, reproduction::mst_ways)    \
  ATOLL_MST_FIND(kind, std::uint64_t, reproduction::two_sided_exchange, reproduction::mst_ways)    \
  }
ATOLL_MST_WAYS(extern)
