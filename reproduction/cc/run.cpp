#include "reproduction/cc/run.hpp"

namespace atl::reproduction::cc {

ATOLL_CC_RUN_BY_SET(, std::uint32_t)
ATOLL_CC_RUN_BY_SET(, std::uint64_t)

}  // namespace atl::reproduction::cc
