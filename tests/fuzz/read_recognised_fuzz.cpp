// Fuzzes files whose content alone tells their format: all formats that the table recognises, new
// ones included.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_recognised({data, size});
  return 0;
}
