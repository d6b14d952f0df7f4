// Fuzzes the reader of properties of a BVGraph with any text.

#include "bvgraph_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bvgraph_checks::check_properties({data, size});
  return 0;
}
