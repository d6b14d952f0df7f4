// Fuzzes the reader of lists of a BVGraph with any bits.

#include "bvgraph_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bvgraph_checks::check_lists({data, size});
  return 0;
}
