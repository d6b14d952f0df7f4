// Compares the reader of texts of edges, plain and compressed, with the naive reader.

#include "edge_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  edge_checks::check_text({data, size});
  return 0;
}
