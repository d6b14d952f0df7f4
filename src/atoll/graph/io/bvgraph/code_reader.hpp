#pragma once
// Reading words of one code: the short ones by a table, the others by arithmetic.

#include "atoll/graph/io/bvgraph/bit_reader.hpp"
#include "atoll/graph/io/bvgraph/codes.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace atl::graph::bvgraph {

class code_reader {
 public:
  /// No value of a graph is larger, and sums of some 10,000 of them fit 64 bits.
  static constexpr std::uint64_t largest_value = (std::uint64_t{1} << 50) - 1;

  explicit code_reader(code how);

  /// The next value. Throws `malformed` behind the end, and for a value above the largest.
  std::uint64_t read(bit_reader& bits) const {
    const auto entry = short_words_[bits.peek() >> (64 - table_bits)];
    if (entry == 0) [[unlikely]]
      return read_long(bits);
    bits.skip(entry & 0xff);
    return entry >> 8;
  }

  /// Reads numbers that increase, by how far each is behind the one before and 1 more; the first
  /// one is behind `last`. Throws likewise.
  void read_increasing(bit_reader& bits, std::uint64_t last,
                       std::span<std::uint64_t> numbers) const {
    auto at = bits.here();
    for (auto& number : numbers) {
      const auto entry = short_words_[at.peek() >> (64 - table_bits)];
      if (entry != 0 && at.skip(entry & 0xff)) [[likely]] {
        last += 1 + (entry >> 8);
      } else {
        bits.follow(at);
        last += 1 + read(bits);
        at = bits.here();
      }
      number = last;
    }
    bits.follow(at);
  }

 private:
  static constexpr unsigned table_bits = 11;

  std::uint64_t read_long(bit_reader& bits) const;
  std::uint64_t read_by_arithmetic(bit_reader& bits) const;

  code how_;
  // By the next bits: the value of the word they begin with, and in the lowest byte its length; 0
  // where that is longer.
  std::array<std::uint32_t, std::size_t{1} << table_bits> short_words_{};
};

}  // namespace atl::graph::bvgraph
