#pragma once
// Arithmetic on bits and whole numbers for hot paths.

#include "atoll/base/error.hpp"
#include "atoll/base/namespace.hpp"

#include <bit>
#include <concepts>
#include <cstdint>

namespace atoll {

__extension__ typedef unsigned __int128 uint128;

constexpr bool is_power_of_two(std::uint64_t x) { return std::has_single_bit(x); }

/// The quotient rounded up; right for all dividends, the largest too. `b` > 0.
template <std::unsigned_integral Number>
constexpr Number ceil_divide(Number a, Number b) {
  return a / b + (a % b != 0);
}

/// The smallest multiple of `step` that is at least `x`; it must fit. `step` > 0.
template <std::unsigned_integral Number>
constexpr Number round_up(Number x, Number step) {
  return ceil_divide(x, step) * step;
}

/// The largest k with 2^k <= x. `x` > 0.
constexpr unsigned floor_log2(std::uint64_t x) { return unsigned(std::bit_width(x)) - 1; }

/// The smallest k with 2^k >= x. `x` > 0.
constexpr unsigned ceil_log2(std::uint64_t x) { return unsigned(std::bit_width(x - 1)); }

/// The upper 64 bits of the product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return std::uint64_t(uint128(a) * b >> 64);
}

/// Divides by a number known only at run time, without a division instruction and without a
/// branch: one multiplication, one addition with carry, one shift. Exact for all dividends and
/// divisors (A. D. Robison, "N-bit unsigned division via N-bit multiply-add", 2005).
class fast_divisor {
 public:
  /// Divides by 1.
  constexpr fast_divisor() : fast_divisor(1) {}

  constexpr explicit fast_divisor(std::uint64_t divisor) : divisor_(divisor) {
    ATOLL_ASSERT(divisor > 0, "a fast_divisor needs a divisor above 0");
    shift_ = floor_log2(divisor);
    if (is_power_of_two(divisor)) {
      multiplier_ = addend_ = ~std::uint64_t{0};
      return;
    }
    const uint128 power = uint128(1) << (64 + shift_);
    const auto floor = std::uint64_t(power / divisor);
    const auto excess = divisor - std::uint64_t(power % divisor);
    const bool round_up = excess <= std::uint64_t{1} << shift_;
    multiplier_ = round_up ? floor + 1 : floor;
    addend_ = round_up ? 0 : floor;
  }

  constexpr std::uint64_t divisor() const { return divisor_; }

  constexpr std::uint64_t divide(std::uint64_t n) const {
    return std::uint64_t((uint128(multiplier_) * n + addend_) >> 64) >> shift_;
  }

  constexpr std::uint64_t modulo(std::uint64_t n) const { return n - divide(n) * divisor_; }

  struct division {
    std::uint64_t quotient;
    std::uint64_t remainder;
  };

  /// Both at once.
  constexpr division split(std::uint64_t n) const {
    const auto quotient = divide(n);
    return {quotient, n - quotient * divisor_};
  }

 private:
  std::uint64_t multiplier_ = 0;
  std::uint64_t addend_ = 0;
  std::uint64_t divisor_ = 1;
  unsigned shift_ = 0;
};

}  // namespace atoll
