#pragma once
// What many weights of 64 bits come to, exactly.

#include <cstdint>
#include <utility>
#include <vector>

namespace atl::kernels::mst {

/// Holds the sum of 2^63 weights of 64 bits.
__extension__ typedef __int128 int128;

/// An exact sum of weights. Two words, aligned as one is: so it travels in messages, and lies where
/// an `int128` may not.
class exact_total {
 public:
  exact_total() = default;
  explicit exact_total(int128 value)
      : low_(static_cast<std::uint64_t>(value)), high_(static_cast<std::int64_t>(value >> 64)) {}

  int128 value() const { return static_cast<int128>(high_) << 64 | low_; }

  exact_total& operator+=(int128 more) { return *this = exact_total(value() + more); }

  friend bool operator==(const exact_total&, const exact_total&) = default;

 private:
  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;
};

/// The total of one for each PE, none below 0, on all of them, by sums of words. The words hold
/// 32, 32 and 64 bits, so none overflows. Every PE calls it.
template <class Exchange>
auto all_total(exact_total mine, Exchange& others) -> typename Exchange::template task<int128> {
  const auto value = mine.value();
  constexpr auto low_word = std::uint64_t{0xffff'ffff};
  std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(value) & low_word,
                                      static_cast<std::uint64_t>(value >> 32) & low_word,
                                      static_cast<std::uint64_t>(value >> 64)};
  words = co_await others.sum(std::move(words));
  int128 total = words[2];
  total <<= 64;
  total += static_cast<int128>(words[1]) << 32;
  co_return total + words[0];
}

}  // namespace atl::kernels::mst
