// Files whose content alone tells their format: all that the table recognises, new ones among them.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_recognised({data, size});
  return 0;
}
