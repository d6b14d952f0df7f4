#include "atoll/kernels/label_propagation/propagate.hpp"

namespace atl::kernels::label_propagation {

template class propagation<std::uint32_t>;
template class propagation<std::uint64_t>;

}  // namespace atl::kernels::label_propagation
