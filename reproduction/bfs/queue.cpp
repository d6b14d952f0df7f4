#include "reproduction/bfs/queue.hpp"

namespace atl::kernels::bfs {

ATOLL_BFS_RUN_THROUGH_QUEUE(, std::uint32_t)
ATOLL_BFS_RUN_THROUGH_QUEUE(, std::uint64_t)

}  // namespace atl::kernels::bfs
