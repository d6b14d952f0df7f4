#include "atoll/kernels/core_numbers/peel.hpp"

namespace atl::kernels::core_numbers {

template class peeling<std::uint32_t>;
template class peeling<std::uint64_t>;

}  // namespace atl::kernels::core_numbers
