#pragma once
// This file defines the member functions of the class hpcc_stream (random.hpp). Element n of the
// stream is the polynomial x^n, modulo the polynomial of the benchmark HPCC RandomAccess. Repeated
// squaring therefore computes any element without the elements before it.

#include "atoll/random.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace atl {
namespace detail::hpcc {

constexpr std::uint64_t step(std::uint64_t x) {
  const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 63);
  return (x << 1) ^ (sign & hpcc_stream::polynomial);
}

/// Returns an array whose entry i is the polynomial x^(2 i), which is the square of x^i.
constexpr std::array<std::uint64_t, 64> even_powers() {
  std::array<std::uint64_t, 64> powers{};
  std::uint64_t x = 1;
  for (auto& power : powers) {
    power = x;
    x = step(step(x));
  }
  return powers;
}

/// Returns the square of the polynomial `x`. Coefficients are computed modulo 2, so the square of a
/// sum is the sum of the squares. One table look-up per nonzero coefficient therefore computes the
/// square.
constexpr std::uint64_t square(std::uint64_t x, const std::array<std::uint64_t, 64>& squares) {
  std::uint64_t sum = 0;
  for (; x != 0; x &= x - 1) sum ^= squares[static_cast<unsigned>(std::countr_zero(x))];
  return sum;
}

constexpr std::uint64_t power(std::int64_t index) {
  constexpr auto squares = even_powers();
  const auto rest = index % hpcc_stream::period;
  const auto exponent = static_cast<std::uint64_t>(rest < 0 ? rest + hpcc_stream::period : rest);
  std::uint64_t result = 1;
  for (int bit = std::bit_width(exponent) - 1; bit >= 0; --bit) {
    result = square(result, squares);
    if ((exponent >> bit) & 1) result = step(result);
  }
  return result;
}

}  // namespace detail::hpcc

constexpr hpcc_stream::hpcc_stream(std::int64_t start_index)
    : value_(detail::hpcc::power(start_index)) {}

constexpr std::uint64_t hpcc_stream::next() {
  value_ = detail::hpcc::step(value_);
  return value_;
}

}  // namespace atl
