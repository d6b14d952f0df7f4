// Fuzzes the reader of keys. Texts are compared with a plain reader, and parts of arrays with the
// whole array.

#include "key_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  key_checks::check({data, size});
  return 0;
}
