#include "reproduction/pagerank/delegates.hpp"

namespace atl::reproduction {

ATOLL_PAGERANK_BY_DELEGATES(, std::uint32_t)
ATOLL_PAGERANK_BY_DELEGATES(, std::uint64_t)

}  // namespace atl::reproduction
