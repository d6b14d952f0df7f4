#include "atoll/graph/io/npy.hpp"

#include "atoll/base/bits.hpp"

#include <bit>
#include <fmt/format.h>
#include <string_view>

namespace atl::graph {

using namespace std::literals;

std::string npy_head(std::uint64_t rows, std::size_t columns, bool real) {
  constexpr auto version_1 = "\x93NUMPY\x01\x00"sv;
  constexpr std::size_t length_bytes = 2;
  constexpr std::size_t alignment = 64;  // of the first element
  const auto shape =
      columns == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  auto text = fmt::format("{{'descr': '<{}8', 'fortran_order': False, 'shape': {}, }}",
                          real ? 'f' : 'i', shape);
  const auto before = version_1.size() + length_bytes;
  text.resize(ceil_divide(before + text.size() + 1, alignment) * alignment - before - 1, ' ');
  text += '\n';
  std::string head(version_1);
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}

void append_npy(std::string& bytes, std::int64_t element) {
  static_assert(std::endian::native == std::endian::little);
  bytes.append(reinterpret_cast<const char*>(&element), sizeof(element));
}

}  // namespace atl::graph
