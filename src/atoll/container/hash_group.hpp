#pragma once
// A few entries of a hash table side by side in one cache line, or in as few as hold seven of them,
// and a byte of each one's hash before them: so most lookups read one line, and compare one key.

#include "atoll/base/bits.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace atl::container {

static_assert(std::endian::native == std::endian::little, "bytes of a word are counted from below");

inline constexpr std::size_t k_line = 64;

/// How many entries of so many bytes a group has: 7 to 15, what leaves the least of its lines
/// unused.
constexpr std::size_t slots_of_group(std::size_t entry_bytes, std::size_t entry_alignment) {
  for (std::size_t lines = 1;; ++lines) {
    for (std::size_t slots = 15; slots >= 7; --slots) {
      const std::size_t tags = slots <= 7 ? 8 : 16;
      if (round_up(tags, entry_alignment) + slots * entry_bytes <= lines * k_line) return slots;
    }
  }
}

/// The bytes of `word` that are 0, each as the highest bit of its byte.
constexpr std::uint64_t empty_bytes(std::uint64_t word) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
  return ~(((word & low) + low) | word | low);
}

/// The bytes of `word` that are `tag`, likewise; and sometimes one behind such a byte, which costs
/// a comparison of keys.
constexpr std::uint64_t bytes_like(std::uint64_t word, std::uint8_t tag) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t different = word ^ (tag * ones);
  return (different - ones) & ~different & (0x80 * ones);
}

/// Lies in raw memory; `make_empty` begins its use. Entries without a tag are raw memory.
template <class Entry>
class alignas(k_line) hash_group {
 public:
  static constexpr std::size_t k_slots = slots_of_group(sizeof(Entry), alignof(Entry));

  void make_empty() { words_ = {}; }

  Entry& operator[](std::size_t slot) { return entries()[slot]; }

  /// The slot with that tag whose entry is wanted; `k_slots`: there is none.
  template <class Wanted>
  std::size_t slot_of(std::uint8_t tag, const Wanted& is_wanted) const {
    for (std::size_t word = 0; word < k_words; ++word) {
      std::uint64_t alike = bytes_like(words_[word], tag) & k_slot_bits[word];
      for (; alike != 0; alike &= alike - 1) {
        const std::size_t slot = slot_at(word, alike);
        if (is_wanted(entries()[slot])) return slot;
      }
    }
    return k_slots;
  }

  /// The entry with that tag that is wanted, or null.
  template <class Wanted>
  Entry* find(std::uint8_t tag, const Wanted& is_wanted) const {
    const std::size_t slot = slot_of(tag, is_wanted);
    return slot == k_slots ? nullptr : &entries()[slot];
  }

  /// Writes the slots in use to `slots`, which has room for all, and returns how many there are.
  /// Without branches: which slots are in use is chance.
  std::size_t used_slots(std::uint8_t* slots) const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < k_slots; ++slot) {
      slots[count] = static_cast<std::uint8_t>(slot);
      count += (words_[slot / 8] >> (8 * (slot % 8)) & 0xff) != 0 ? 1 : 0;
    }
    return count;
  }

  /// Makes an entry of `values` in a free slot and returns it; null: there is none.
  template <class... Values>
  Entry* add(std::uint8_t tag, Values&&... values) {
    for (std::size_t word = 0; word < k_words; ++word) {
      const std::uint64_t empty = empty_bytes(words_[word]) & k_slot_bits[word];
      if (empty == 0) continue;
      const std::size_t slot = slot_at(word, empty);
      Entry* const made = std::construct_at(&entries()[slot], std::forward<Values>(values)...);
      words_[word] |= std::uint64_t{tag} << (8 * (slot % 8));
      return made;
    }
    return nullptr;
  }

  void remove(std::size_t slot) {
    std::destroy_at(&entries()[slot]);
    words_[slot / 8] &= ~(std::uint64_t{0xff} << (8 * (slot % 8)));
  }

  /// How many entries have found no place here and went on; 255: at least so many.
  std::uint8_t passed() const { return static_cast<std::uint8_t>(words_[k_words - 1] >> 56); }
  void one_passes() {
    if (passed() != k_many) words_[k_words - 1] += k_one_passed;
  }
  /// One that had passed is gone.
  void one_returns() {
    if (passed() != k_many) words_[k_words - 1] -= k_one_passed;
  }

 private:
  static constexpr std::size_t k_words = k_slots <= 7 ? 1 : 2;
  static constexpr std::uint8_t k_many = 255;
  static constexpr std::uint64_t k_one_passed = std::uint64_t{1} << 56;

  static constexpr std::array<std::uint64_t, k_words> k_slot_bits = [] {
    std::array<std::uint64_t, k_words> bits{};
    for (std::size_t slot = 0; slot < k_slots; ++slot)
      bits[slot / 8] |= std::uint64_t{0x80} << (8 * (slot % 8));
    return bits;
  }();

  static std::size_t slot_at(std::size_t word, std::uint64_t bits) {
    return 8 * word + static_cast<std::size_t>(std::countr_zero(bits)) / 8;
  }

  // Who has a table that is not to change has its entries all the same.
  Entry* entries() const { return reinterpret_cast<Entry*>(const_cast<std::byte*>(bytes_)); }

  std::array<std::uint64_t, k_words> words_;  // a tag for each slot; the last byte: who passed
  alignas(Entry) std::byte bytes_[k_slots * sizeof(Entry)];
};

}  // namespace atl::container
