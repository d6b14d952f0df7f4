#include "atoll/kernels/mst/find.hpp"

namespace atl::kernels::mst {

ATOLL_MST_FOREST(, std::uint32_t)
ATOLL_MST_FOREST(, std::uint64_t)

}  // namespace atl::kernels::mst
