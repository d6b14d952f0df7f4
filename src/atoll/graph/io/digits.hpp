#pragma once
// Integers of up to eight digits, read without a step for each of them.

#include <bit>
#include <cstdint>
#include <cstring>

namespace atl::graph {

/// The digits that a text begins with.
class leading_digits {
 public:
  /// Eight bytes must be readable from `text` on.
  explicit leading_digits(const char* text) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof(bytes));
    values_ = bytes ^ each(0x30);
    // The upper bit of a byte is set where it is no digit: 10 and more carry into it, and it may
    // have been set before.
    const auto others = (((values_ & each(0x7f)) + each(0x76)) | values_) & each(0x80);
    count_ = static_cast<unsigned>(std::countr_zero(others)) / 8;
  }

  /// 8 where there are eight or more.
  unsigned count() const { return count_; }

  /// Of 1 to 8 digits.
  std::uint64_t value() const {
    // With zeros in front to eight digits; the first stands in the lowest byte. Two neighbours at a
    // time become one number.
    const auto ones = values_ << (64 - 8 * count_);
    const auto twos = (ones * 10 + (ones >> 8)) & 0x00ff'00ff'00ff'00ff;
    const auto fours = (twos * 100 + (twos >> 16)) & 0x0000'ffff'0000'ffff;
    return (fours * 10000 + (fours >> 32)) & 0xffff'ffff;
  }

 private:
  static constexpr std::uint64_t each(std::uint64_t byte) { return byte * 0x0101'0101'0101'0101; }

  std::uint64_t values_ = 0;
  unsigned count_ = 0;
};

}  // namespace atl::graph
