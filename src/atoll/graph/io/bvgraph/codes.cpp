#include "atoll/graph/io/bvgraph/codes.hpp"

#include <array>

namespace atl::graph::bvgraph {
namespace {

constexpr std::array<std::string_view, 6> code_names = {"UNARY", "GAMMA",  "DELTA",
                                                        "ZETA",  "NIBBLE", "GOLOMB"};

constexpr uint128 power_of_two(unsigned exponent) { return uint128{1} << exponent; }

/// Appends the minimal binary code of `value` below `bound`, where the values below `short_ones`
/// have one bit less than `bits`.
void append_minimal(code_word& word, std::uint64_t value, std::uint64_t short_ones, unsigned bits) {
  const bool is_short = value < short_ones;
  const unsigned length = is_short ? bits - 1 : bits;
  word.tail = word.tail << length | (is_short ? value : value + short_ones);
  word.tail_bits += length;
}

code_word gamma_word(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  return {bits, value + 1, bits + 1};
}

code_word delta_word(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  code_word word = gamma_word(bits);
  word.tail = word.tail << bits | (value + 1 - power_of_two(bits));
  word.tail_bits += bits;
  return word;
}

code_word zeta_word(std::uint64_t value, unsigned k) {
  const unsigned h = floor_log2(value + 1) / k;
  const auto least = static_cast<std::uint64_t>(power_of_two(h * k));
  code_word word{h, 1, 1};
  append_minimal(word, value + 1 - least, least, h * k + k);
  return word;
}

code_word nibble_word(std::uint64_t value) {
  constexpr unsigned group = 3;
  code_word word;
  for (int i = static_cast<int>(value == 0 ? 0 : floor_log2(value) / group); i >= 0; --i) {
    const std::uint64_t last = i == 0 ? 8 : 0;
    const auto digit = value >> (static_cast<unsigned>(i) * group) & 7;
    word.tail = word.tail << (group + 1) | last | digit;
    word.tail_bits += group + 1;
  }
  return word;
}

code_word golomb_word(std::uint64_t value, std::uint64_t modulus) {
  code_word word{value / modulus, 1, 1};
  const unsigned bits = ceil_log2(modulus);
  const auto unused = static_cast<std::uint64_t>(power_of_two(bits)) - modulus;
  append_minimal(word, value % modulus, unused, bits);
  return word;
}

std::uint64_t gamma_bits(std::uint64_t value) { return 2 * floor_log2(value + 1) + 1; }

std::uint64_t delta_bits(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  return gamma_bits(bits) + bits;
}

std::uint64_t zeta_bits(std::uint64_t value, std::uint64_t k) {
  const auto h = floor_log2(value + 1) / k;
  const bool is_short = value + 1 < std::uint64_t{2} << h * k;
  return h + 1 + h * k + k - (is_short ? 1 : 0);
}

}  // namespace

std::string_view name_of(code_kind kind) { return code_names[static_cast<std::size_t>(kind)]; }

code_word word_of(code how, std::uint64_t value) {
  switch (how.kind) {
  case code_kind::unary:
    return {value, 1, 1};
  case code_kind::gamma:
    return gamma_word(value);
  case code_kind::delta:
    return delta_word(value);
  case code_kind::zeta:
    return zeta_word(value, static_cast<unsigned>(how.parameter));
  case code_kind::nibble:
    return nibble_word(value);
  case code_kind::golomb:
    break;
  }
  return golomb_word(value, how.parameter);
}

std::uint64_t bits_of(code how, std::uint64_t value) {
  switch (how.kind) {
  case code_kind::unary:
    return value + 1;
  case code_kind::gamma:
    return gamma_bits(value);
  case code_kind::delta:
    return delta_bits(value);
  case code_kind::zeta:
    return zeta_bits(value, how.parameter);
  case code_kind::nibble:
  case code_kind::golomb:
    break;
  }
  return word_of(how, value).bits();
}

}  // namespace atl::graph::bvgraph
