// A library that tests load at run time. The library contains functions that are used as message
// handlers.

#include "atoll/delegates.hpp"
#include "atoll/loops.hpp"

/// Adds `value` to the word at `offset` in the global memory of `pe`.
extern "C" void add_from_library(int pe, std::uint64_t offset, std::uint64_t value) {
  atl::async_call(pe, [offset, value] { atl::object_at<std::uint64_t>(offset) += value; });
}

/// Adds one to the word at `offset` in the global memory of every PE. The enclosing scope waits
/// until all words are updated.
extern "C" void add_everywhere_from_library(std::uint64_t offset) {
  const auto add = [offset] { atl::object_at<std::uint64_t>(offset) += 1; };
  atl::spawn([add] { return atl::on_all_pes(add); });
}
