#include "atoll/kernels/mst/find.hpp"

namespace atl::kernels::mst {

ATOLL_MST_FIND(, std::uint32_t, one_sided_exchange)
ATOLL_MST_FIND(, std::uint64_t, one_sided_exchange)
ATOLL_MST_FIND(, std::uint32_t, two_sided_exchange)
ATOLL_MST_FIND(, std::uint64_t, two_sided_exchange)

}  // namespace atl::kernels::mst
