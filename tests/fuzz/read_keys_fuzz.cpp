// Fuzzes the reader of keys. For texts, the reader must return the keys that a plain reader finds.
// For arrays, the parts must together have the keys of the whole array.

#include "key_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  key_checks::check({data, size});
  return 0;
}
