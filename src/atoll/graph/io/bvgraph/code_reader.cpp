#include "atoll/graph/io/bvgraph/code_reader.hpp"

#include <algorithm>

namespace atl::graph::bvgraph {
namespace {

// No word of a value that a graph has says that it has more bits than this.
constexpr unsigned k_most_value_bits = 60;

[[noreturn]] void refuse_word() { throw malformed{"a number that is too large for any graph"}; }

void check_bits(std::uint64_t value_bits) {
  if (value_bits > k_most_value_bits) refuse_word();
}

std::uint64_t read_gamma(bit_reader& bits) {
  const auto more = bits.take_unary();
  check_bits(more);
  const auto first = std::uint64_t{1} << more;
  return (first | bits.take(static_cast<unsigned>(more))) - 1;
}

std::uint64_t read_delta(bit_reader& bits) {
  const auto more = read_gamma(bits);
  check_bits(more);
  const auto first = std::uint64_t{1} << more;
  return (first | bits.take(static_cast<unsigned>(more))) - 1;
}

/// A minimal binary code, as `append_minimal` has it.
std::uint64_t read_minimal(bit_reader& bits, std::uint64_t short_ones, unsigned length) {
  if (length == 0) return 0;
  const auto begin = bits.take(length - 1);
  return begin < short_ones ? begin : (begin << 1 | bits.take(1)) - short_ones;
}

std::uint64_t read_zeta(bit_reader& bits, std::uint64_t k) {
  const auto h = bits.take_unary();
  if (h > k_most_value_bits) refuse_word();
  check_bits(h * k + k);
  const auto least = std::uint64_t{1} << h * k;
  return read_minimal(bits, least, static_cast<unsigned>(h * k + k)) + least - 1;
}

std::uint64_t read_nibble(bit_reader& bits) {
  std::uint64_t value = 0;
  for (;;) {
    const auto group = bits.take(4);
    value = value << 3 | (group & 7);
    if (group >= 8) return value;
    check_bits(floor_log2(value | 1) + 3);
  }
}

std::uint64_t read_golomb(bit_reader& bits, std::uint64_t modulus) {
  const auto quotient = bits.take_unary();
  if (quotient >= (std::uint64_t{1} << k_most_value_bits) / modulus) refuse_word();
  const auto length = ceil_log2(modulus);
  const auto unused = (std::uint64_t{1} << length) - modulus;
  return quotient * modulus + read_minimal(bits, unused, length);
}

}  // namespace

code_reader::code_reader(code how) : how_(how) {
  for (std::uint64_t value = 0;; ++value) {
    const auto word = word_of(how, value);
    if (word.bits() > table_bits) return;
    const auto length = static_cast<unsigned>(word.bits());
    const auto first = static_cast<std::uint64_t>(word.tail) << (table_bits - length);
    std::fill_n(short_words_.begin() + static_cast<std::ptrdiff_t>(first),
                std::size_t{1} << (table_bits - length),
                static_cast<std::uint32_t>(value << 8 | length));
  }
}

std::uint64_t code_reader::read_long(bit_reader& bits) const {
  const auto value = read_by_arithmetic(bits);
  if (value > largest_value) refuse_word();
  return value;
}

std::uint64_t code_reader::read_by_arithmetic(bit_reader& bits) const {
  switch (how_.kind) {
  case code_kind::unary:
    return bits.take_unary();
  case code_kind::gamma:
    return read_gamma(bits);
  case code_kind::delta:
    return read_delta(bits);
  case code_kind::zeta:
    return read_zeta(bits, how_.parameter);
  case code_kind::nibble:
    return read_nibble(bits);
  case code_kind::golomb:
    break;
  }
  return read_golomb(bits, how_.parameter);
}

}  // namespace atl::graph::bvgraph
