// Its messages are executed by functions that lie in this library.

#include "atoll/memory/delegates.hpp"

/// Adds `value` to the word at `offset` of the global memory of `pe`.
extern "C" void add_from_library(int pe, std::uint64_t offset, std::uint64_t value) {
  atl::async_call(pe, [offset, value] { atl::object_at<std::uint64_t>(offset) += value; });
}
