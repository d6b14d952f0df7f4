// Fuzzes files whose content alone tells their format. All formats that the table can recognise are
// tested, even new ones.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_recognised({data, size});
  return 0;
}
