#pragma once
// Reading words of one code: the short ones by a table, the others by arithmetic.

#include "atoll/graph/io/bvgraph/bit_reader.hpp"
#include "atoll/graph/io/bvgraph/codes.hpp"

#include <array>
#include <cstdint>

namespace atl::graph::bvgraph {

class code_reader {
 public:
  explicit code_reader(code how);

  /// The next value. Throws `malformed` behind the end, and for a word longer than any that a graph
  /// needs.
  std::uint64_t read(bit_reader& bits) const {
    const auto entry = short_words_[bits.peek() >> (64 - table_bits)];
    if (entry == 0) [[unlikely]]
      return read_long(bits);
    bits.skip(entry & 0xff);
    return entry >> 8;
  }

 private:
  static constexpr unsigned table_bits = 11;

  std::uint64_t read_long(bit_reader& bits) const;

  code how_;
  // By the next bits: the value of the word they begin with, and in the lowest byte its length; 0
  // where that is longer.
  std::array<std::uint32_t, std::size_t{1} << table_bits> short_words_{};
};

}  // namespace atl::graph::bvgraph
