#include "atoll/kernels/bfs/roots.hpp"
#include "atoll/kernels/bfs/run.hpp"
#include "atoll/kernels/bfs/tree.hpp"

namespace atl::kernels::bfs {

ATOLL_BFS_RUN(, std::uint32_t)
ATOLL_BFS_RUN(, std::uint64_t)
ATOLL_BFS_TREE(, std::uint32_t)
ATOLL_BFS_TREE(, std::uint64_t)
ATOLL_BFS_ROOTS(, std::uint32_t)
ATOLL_BFS_ROOTS(, std::uint64_t)

}  // namespace atl::kernels::bfs
