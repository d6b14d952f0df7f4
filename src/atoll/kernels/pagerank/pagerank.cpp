#include "atoll/kernels/pagerank/run.hpp"

namespace atl::kernels::pagerank {

ATOLL_PAGERANK(, std::uint32_t)
ATOLL_PAGERANK(, std::uint64_t)
ATOLL_PAGERANK_RUN(, std::uint32_t)
ATOLL_PAGERANK_RUN(, std::uint64_t)

}  // namespace atl::kernels::pagerank
