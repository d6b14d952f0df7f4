// Fuzzes files whose content alone tells their format. The fuzzer tests all formats that the
// library recognises by their content. Formats that are added to the library later are tested
// automatically.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_recognised({data, size});
  return 0;
}
