// Compares the reader of texts with a header, plain and compressed, with the naive reader.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_headed({data, size});
  return 0;
}
