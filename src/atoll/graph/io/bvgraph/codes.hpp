#pragma once
// The codes of natural numbers of which a BVGraph is made. (Boldi and Vigna, "The WebGraph
// framework I: compression techniques", 2004, and "Codes for the World Wide Web", 2005.)
//
// A word stands in the file from its highest bit on:
//   unary    n zeros and a one
//   gamma    as many zeros as n + 1 has bits after its first, then n + 1
//   delta    the number of those bits in gamma, then they
//   zeta     of k: n + 1 has h * k to h * k + k - 1 bits after its first; h in unary, then how far
//            n + 1 is from 2^(h * k), in a minimal binary code
//   nibble   groups of three bits, from the highest on; before each a bit, 1 for the last
//   golomb   of m: n / m in unary, then n % m in a minimal binary code

#include "atoll/base/bits.hpp"

#include <cstdint>
#include <string_view>

namespace atl::graph::bvgraph {

enum class code_kind : std::uint8_t { unary, gamma, delta, zeta, nibble, golomb };

/// As in the flags of a file: "GAMMA".
std::string_view name_of(code_kind kind);

struct code {
  code_kind kind = code_kind::gamma;
  std::uint64_t parameter = 0;  ///< k of zeta, 1 to 15; m of golomb, 1 to 2^31 - 1

  friend bool operator==(const code&, const code&) = default;
};

/// Zeros, and then the lowest `tail_bits` bits of `tail`, the first of which is mostly a one.
struct code_word {
  std::uint64_t zeros = 0;
  uint128 tail = 0;
  unsigned tail_bits = 0;

  std::uint64_t bits() const { return zeros + tail_bits; }
};

/// For values below 2^50.
code_word word_of(code how, std::uint64_t value);

/// The length of that word, found without making it.
std::uint64_t bits_of(code how, std::uint64_t value);

/// Integers as natural numbers: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
constexpr std::uint64_t natural_of(std::int64_t integer) {
  const auto twice = static_cast<std::uint64_t>(integer) << 1;
  return integer < 0 ? ~twice : twice;
}

/// The inverse.
constexpr std::int64_t integer_of(std::uint64_t natural) {
  const auto half = static_cast<std::int64_t>(natural >> 1);
  return (natural & 1) == 0 ? half : ~half;
}

}  // namespace atl::graph::bvgraph
