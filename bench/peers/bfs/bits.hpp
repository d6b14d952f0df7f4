#pragma once
// Bitmaps whose words can be sent to other processes.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench::peers {

class bits {
 public:
  using word = std::uint64_t;

  /// Makes `size` bits that are 0. `size` must be a multiple of the bits of a word.
  explicit bits(std::uint64_t size) : words_(size / 64) {}

  void clear() { std::ranges::fill(words_, 0); }
  bool test(std::uint64_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void set(std::uint64_t i) { words_[i / 64] |= word{1} << (i % 64); }
  /// Sets bit `i`. Returns whether the bit was set before the call.
  bool test_and_set(std::uint64_t i) {
    word& in = words_[i / 64];
    const word bit = word{1} << (i % 64);
    return (std::exchange(in, in | bit) & bit) != 0;
  }

  /// Calls `visit(i)` for each bit that is 1. If all bits of `flip` are 1, the function visits the
  /// bits that are 0 instead. Bits may change during the calls.
  template <class Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, word flip, const Visit& visit) const {
    for (std::uint64_t at = begin / 64; at < end / 64; ++at)
      for (word left = words_[at] ^ flip; left != 0; left &= left - 1)
        visit(at * 64 + static_cast<unsigned>(std::countr_zero(left)));
  }

  std::uint64_t size() const { return words_.size() * 64; }
  int words() const { return static_cast<int>(words_.size()); }
  word* data() { return words_.data(); }
  const word* data() const { return words_.data(); }

 private:
  std::vector<word> words_;
};

}  // namespace bench::peers
