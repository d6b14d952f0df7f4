#include "atoll/kernels/triangles/run.hpp"

namespace atl::kernels::triangles {

ATOLL_ALL_TRIANGLES()

}  // namespace atl::kernels::triangles
