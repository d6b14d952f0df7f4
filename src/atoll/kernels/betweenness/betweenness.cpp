#include "atoll/kernels/betweenness/run.hpp"

namespace atl::kernels::betweenness {

ATOLL_BETWEENNESS(, std::uint32_t)
ATOLL_BETWEENNESS(, std::uint64_t)

}  // namespace atl::kernels::betweenness
