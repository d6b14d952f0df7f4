#pragma once
// The random stream of HPCC RandomAccess (GUPS): x(0) = 1, x(n+1) = 2 x(n), as polynomials over the
// field of two elements modulo x^64 + x^2 + x + 1. So x(n) is the polynomial x to the power n, and
// one can start at any place of the stream by repeated squaring.

#include <array>
#include <bit>
#include <cstdint>

namespace atl {

/// The stream from the element `start_index` on. HPCC's convention holds: the first call of `next`
/// returns element start_index + 1, so the stream of index 0 begins with 2. Any thread may own one.
class hpcc_stream {
 public:
  static constexpr std::uint64_t polynomial = 7;
  static constexpr std::int64_t period = 1317624576693539401;

  /// Any index is right, a negative one too: it counts modulo the period. Takes about 1 us.
  constexpr explicit hpcc_stream(std::int64_t start_index) : value_(power(start_index)) {}

  /// The next element.
  constexpr std::uint64_t next() {
    value_ = step(value_);
    return value_;
  }

 private:
  static constexpr std::uint64_t step(std::uint64_t x) {
    const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 63);
    return (x << 1) ^ (sign & polynomial);
  }

  /// even_powers()[i] is the element 2 i: the square of x to the power i.
  static constexpr std::array<std::uint64_t, 64> even_powers() {
    std::array<std::uint64_t, 64> powers{};
    std::uint64_t x = 1;
    for (auto& power : powers) {
      power = x;
      x = step(step(x));
    }
    return powers;
  }

  /// Squaring is linear over two elements: the square of a sum is the sum of the squares.
  static constexpr std::uint64_t square(std::uint64_t x,
                                        const std::array<std::uint64_t, 64>& squares) {
    std::uint64_t sum = 0;
    for (; x != 0; x &= x - 1) sum ^= squares[static_cast<unsigned>(std::countr_zero(x))];
    return sum;
  }

  static constexpr std::uint64_t power(std::int64_t index) {
    constexpr auto squares = even_powers();
    const auto rest = index % period;
    const auto exponent = static_cast<std::uint64_t>(rest < 0 ? rest + period : rest);
    std::uint64_t result = 1;
    for (int bit = std::bit_width(exponent) - 1; bit >= 0; --bit) {
      result = square(result, squares);
      if ((exponent >> bit) & 1) result = step(result);
    }
    return result;
  }

  std::uint64_t value_;
};

}  // namespace atl
