// Fuzzes any bytes as compressed files of edges.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_packed({data, size});
  return 0;
}
