#include "atoll/kernels/sort/run.hpp"

namespace atl::kernels::sort {

ATOLL_SORT_RUN(, std::uint32_t)
ATOLL_SORT_RUN(, std::uint64_t)

}  // namespace atl::kernels::sort
