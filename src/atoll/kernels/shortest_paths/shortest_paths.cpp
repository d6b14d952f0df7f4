#include "atoll/kernels/shortest_paths/run.hpp"

namespace atl::kernels::shortest_paths {

ATOLL_SHORTEST_PATHS(, std::uint32_t)
ATOLL_SHORTEST_PATHS(, std::uint64_t)

}  // namespace atl::kernels::shortest_paths
