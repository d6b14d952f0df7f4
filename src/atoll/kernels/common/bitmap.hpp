#pragma once

#include "atoll/local_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels {

/// A bit for each of a range of numbers, in words at multiples of 64.
class bitmap {
 public:
  void reset(std::uint64_t bits) { words_.assign((bits + 63) / 64, 0); }

  bool test(std::uint64_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void set(std::uint64_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }

  /// Calls `visit(i)` for each clear bit of [begin, end). A word is read once, before its visits.
  template <class Visit>
  void for_each_clear(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    for (std::uint64_t word = begin / 64; word * 64 < end; ++word) {
      std::uint64_t clear = ~words_[word];
      if (word == begin / 64) clear &= ~std::uint64_t{0} << (begin % 64);
      if (end < word * 64 + 64) clear &= (std::uint64_t{1} << (end % 64)) - 1;
      for (; clear != 0; clear &= clear - 1) {
        visit(word * 64 + static_cast<std::uint64_t>(std::countr_zero(clear)));
      }
    }
  }

 private:
  huge_vector<std::uint64_t> words_;
};

/// The bits of [first, last) alone, in the words that a bitmap of all would have.
class bitmap_slice {
 public:
  bitmap_slice(std::uint64_t first, std::uint64_t last)
      : first_word_(first / 64), words_(first == last ? 0 : (last + 63) / 64 - first / 64) {}

  void set(std::uint64_t i) { words_[i / 64 - first_word_] |= std::uint64_t{1} << (i % 64); }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::uint64_t first_word_;
  std::vector<std::uint64_t> words_;
};

}  // namespace atl::kernels
