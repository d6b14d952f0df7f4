#include "atoll/kernels/communities/run.hpp"

namespace atl::kernels::communities {

ATOLL_COMMUNITIES(, std::uint32_t)
ATOLL_COMMUNITIES(, std::uint64_t)

}  // namespace atl::kernels::communities
