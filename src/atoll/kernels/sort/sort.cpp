#include "atoll/kernels/sort/run.hpp"

namespace atl::kernels::sort {

ATOLL_SORT(, std::uint32_t)
ATOLL_SORT(, std::uint64_t)

}  // namespace atl::kernels::sort
