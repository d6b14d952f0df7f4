// Fuzzes the reader of compressed files of edges with any bytes.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_packed({data, size});
  return 0;
}
