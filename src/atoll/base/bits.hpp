#pragma once
// Arithmetic on bits and whole numbers for hot paths.

#include "atoll/error.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>

namespace atl {

__extension__ typedef unsigned __int128 uint128;

constexpr bool is_power_of_two(std::uint64_t x) { return std::has_single_bit(x); }

/// Returns a / b rounded up. `b` must be above 0. The calculation never overflows.
template <std::unsigned_integral Number>
constexpr Number ceil_divide(Number a, Number b) {
  return a / b + (a % b != 0);
}

/// Returns the smallest multiple of `step` that is at least `x`. The result must fit into `Number`,
/// and `step` must be above 0.
template <std::unsigned_integral Number>
constexpr Number round_up(Number x, Number step) {
  return ceil_divide(x, step) * step;
}

/// Returns the largest k with 2^k <= `x`. `x` must be above 0.
constexpr unsigned floor_log2(std::uint64_t x) { return unsigned(std::bit_width(x)) - 1; }

/// Returns the smallest k with 2^k >= `x`. `x` must be above 0.
constexpr unsigned ceil_log2(std::uint64_t x) { return unsigned(std::bit_width(x - 1)); }

/// Returns the upper 64 bits of the 128-bit product of `a` and `b`.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return std::uint64_t(uint128(a) * b >> 64);
}

/// A divisor of 64-bit numbers whose value is known only at run time. The constructor computes a
/// multiplier, so that `divide` needs no division instruction. A division by a power of two is a
/// shift. Other divisions take a multiplication, a subtraction, an addition and two shifts. Results
/// are exact for all dividends and divisors. Granlund and Montgomery describe the method, with a
/// multiplier of 65 bits, in "Division by invariant integers using multiplication", 1994.
class fast_divisor {
 public:
  /// Makes the divisor 1.
  constexpr fast_divisor() : fast_divisor(1) {}

  constexpr explicit fast_divisor(std::uint64_t divisor) : divisor_(divisor) {
    ATOLL_ASSERT(divisor > 0, "a fast_divisor needs a divisor above 0");
    shift_ = floor_log2(divisor);
    if (is_power_of_two(divisor)) return;
    // The full multiplier is floor(2^(65 + shift) / divisor) + 1. The 65th bit of the multiplier is
    // always set and is therefore not stored.
    const uint128 quotient = (uint128(1) << (64 + shift_)) / divisor;
    const auto rest = std::uint64_t((uint128(1) << (64 + shift_)) % divisor);
    const bool half = rest >= divisor - rest;
    multiplier_ = 2 * std::uint64_t(quotient) + (half ? 1 : 0) + 1;
  }

  constexpr std::uint64_t divisor() const { return divisor_; }

  /// Returns k if the divisor is 2^k. Returns nothing if the divisor is no power of two.
  constexpr std::optional<unsigned> power() const {
    return multiplier_ == 0 ? std::optional(shift_) : std::nullopt;
  }

  constexpr std::uint64_t divide(std::uint64_t n) const {
    if (multiplier_ == 0) return n >> shift_;
    const std::uint64_t high = multiply_high(multiplier_, n);
    return (((n - high) >> 1) + high) >> shift_;
  }

  constexpr std::uint64_t modulo(std::uint64_t n) const { return split(n).remainder; }

  struct division {
    std::uint64_t quotient;
    std::uint64_t remainder;
  };

  /// Returns the quotient and the remainder of `n` divided by the divisor.
  constexpr division split(std::uint64_t n) const {
    if (multiplier_ == 0) return {n >> shift_, n & (divisor_ - 1)};
    const auto quotient = divide(n);
    return {quotient, n - quotient * divisor_};
  }

 private:
  std::uint64_t multiplier_ = 0;  // 0 if the divisor is a power of two
  std::uint64_t divisor_ = 1;
  unsigned shift_ = 0;
};

}  // namespace atl
