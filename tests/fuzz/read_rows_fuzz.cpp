// Compares the reader of binary rows of neighbours with the naive reader.

#include "csr_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  csr_checks::check_rows({data, size});
  return 0;
}
