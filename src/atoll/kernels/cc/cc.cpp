#include "atoll/kernels/cc/run.hpp"

namespace atl::kernels::cc {

ATOLL_CC_RUN(, std::uint32_t)
ATOLL_CC_RUN(, std::uint64_t)
ATOLL_CC_SIZES(, std::uint32_t)
ATOLL_CC_SIZES(, std::uint64_t)

}  // namespace atl::kernels::cc
