// Fuzzes files of keys: texts against a plain reader, and arrays in parts against the whole.

#include "key_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  key_checks::check({data, size});
  return 0;
}
