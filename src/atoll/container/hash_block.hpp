#pragma once
// A block of a hash table is a small hash table of its own, and consists of groups of entries.

#include "atoll/base/bits.hpp"
#include "atoll/container/block_pool.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace atl::container {

// A group holds a few entries of a hash table. A group fills one cache line, or the smallest number
// of lines that hold seven entries. One byte of each entry's hash, the tag, is stored before the
// entries. Most lookups therefore read one line and compare one key.

static_assert(std::endian::native == std::endian::little, "bytes of a word are counted from below");

inline constexpr std::size_t k_line = 64;

/// Returns the number of entries per group: the number from 7 to 15 that leaves the fewest bytes of
/// the cache lines unused.
constexpr std::size_t slots_of_group(std::size_t entry_bytes, std::size_t entry_alignment) {
  for (std::size_t lines = 1;; ++lines) {
    for (std::size_t slots = 15; slots >= 7; --slots) {
      const std::size_t tags = slots <= 7 ? 8 : 16;
      if (round_up(tags, entry_alignment) + slots * entry_bytes <= lines * k_line) return slots;
    }
  }
}

/// Returns a word in which the highest bit of a byte is set if that byte of `word` is 0.
constexpr std::uint64_t empty_bytes(std::uint64_t word) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
  return ~(((word & low) + low) | word | low);
}

/// Returns a word in which the highest bit of a byte is set if that byte of `word` equals `tag`.
/// Sometimes the byte after such a byte is marked wrongly, which costs a comparison of keys.
constexpr std::uint64_t bytes_like(std::uint64_t word, std::uint8_t tag) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t different = word ^ (tag * ones);
  return (different - ones) & ~different & (0x80 * ones);
}

/// A group in uninitialised memory. Call `make_empty` before its first use. A slot without a tag
/// contains no object.
template <class Entry>
class alignas(k_line) hash_group {
 public:
  static constexpr std::size_t k_slots = slots_of_group(sizeof(Entry), alignof(Entry));

  void make_empty() { words_ = {}; }

  Entry& operator[](std::size_t slot) { return entries()[slot]; }

  /// Returns a slot with the tag `tag` for whose entry `is_wanted(entry)` is true. Returns
  /// `k_slots` if there is no such slot.
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

  /// Returns the entry with the tag `tag` for which `is_wanted(entry)` is true, or null.
  template <class Wanted>
  Entry* find(std::uint8_t tag, const Wanted& is_wanted) const {
    const std::size_t slot = slot_of(tag, is_wanted);
    return slot == k_slots ? nullptr : &entries()[slot];
  }

  /// Writes the numbers of the used slots to `slots`, which has space for all, and returns their
  /// number. The loop has no branches, because used slots are at random places and branches would
  /// be mispredicted.
  std::size_t used_slots(std::uint8_t* slots) const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < k_slots; ++slot) {
      slots[count] = static_cast<std::uint8_t>(slot);
      count += (words_[slot / 8] >> (8 * (slot % 8)) & 0xff) != 0 ? 1 : 0;
    }
    return count;
  }

  /// Makes an entry from `values` in a free slot and returns it. Returns null if no slot is free.
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

  /// Returns the number of entries that were stored in a later group because this group was full.
  /// 255 means 255 or more.
  std::uint8_t passed() const { return static_cast<std::uint8_t>(words_[k_words - 1] >> 56); }
  void one_passes() {
    if (passed() != k_many) words_[k_words - 1] += k_one_passed;
  }
  /// Records that such an entry in a later group was removed.
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

  // The cast is needed because a const table also gives access to its entries.
  Entry* entries() const { return reinterpret_cast<Entry*>(const_cast<std::byte*>(bytes_)); }

  // Tags by slot; the last byte counts entries that were stored in later groups.
  std::array<std::uint64_t, k_words> words_;
  alignas(Entry) std::byte bytes_[k_slots * sizeof(Entry)];
};

// A block of a hash table is a small table that grows separately when it is full. No operation
// therefore waits for more than the move of one block. An entry is stored in the group that its
// hash selects, or in one of the next groups. Each group counts the entries that were stored
// further on because it was full (as F14 of Folly does). The count tells a search when to stop, and
// removals leave no tombstones.

/// The parts of a hash that determine the position of an entry in the table of a PE. The highest
/// bits of the hash have already selected the PE.
class hash_place {
 public:
  explicit hash_place(std::uint64_t hash) : hash_(hash) {}

  /// Returns the tag, a byte of the hash. The tag is never 0, which marks an empty slot, and never
  /// 1, which `bytes_like` may report wrongly.
  std::uint8_t tag() const {
    const auto low = static_cast<std::uint8_t>(hash_);
    return low < 2 ? static_cast<std::uint8_t>(low + 2) : low;
  }
  /// Returns the bits that select the block; 24 of them are used.
  std::uint64_t block_bits() const { return hash_ >> 8; }
  /// Returns the number of the group that the hash selects among 2^log2_groups groups.
  std::uint32_t group(std::uint32_t log2_groups) const {
    const std::uint64_t known = (std::uint64_t{1} << log2_groups) - 1;
    return static_cast<std::uint32_t>(hash_ >> 32 & known);
  }

 private:
  std::uint64_t hash_;
};

/// Sizes of blocks. Memory is counted in units of several groups, and a block has a power of two of
/// units.
template <class Group>
struct block_sizes {
  static constexpr std::uint32_t k_groups_of_unit =
      std::bit_floor(std::max<std::uint32_t>(1, 256 / static_cast<std::uint32_t>(sizeof(Group))));
  static constexpr std::size_t k_unit_bytes = k_groups_of_unit * sizeof(Group);

  /// Usual size of a block in units: 4 KiB, so that moving a block takes about a microsecond.
  static constexpr std::uint32_t k_usual =
      std::bit_ceil(std::max<std::uint32_t>(2, 4096 / k_unit_bytes));

  /// Returns the largest number of entries of a block, seven eighths of its slots. With this limit,
  /// nearly all entries are in the group of their hash or in the next group.
  static constexpr std::uint64_t capacity(std::uint32_t units) {
    const std::uint64_t slots = std::uint64_t{units} * k_groups_of_unit * Group::k_slots;
    return slots - slots / 8;
  }

  static constexpr std::uint32_t with_room_for(std::uint64_t entries) {
    std::uint32_t units = 1;
    while (capacity(units) < entries) units *= 2;
    return units;
  }
};

/// A block in memory of a pool. A new block has no memory until `open`. The object is one word,
/// because lookups read such words from an array. The object does not count its entries; the caller
/// of `add` does.
template <class Entry>
class hash_block {
 public:
  using group = hash_group<Entry>;
  using sizes = block_sizes<group>;

  /// The position of an entry in its block, and the hash of the entry.
  struct position {
    hash_place place{0};
    std::uint32_t group = 0;
    std::uint32_t slot = 0;
  };

  std::uint32_t units() const { return groups() / sizes::k_groups_of_unit; }
  bool is_open() const { return word_ != 0; }

  /// Allocates `units` units. Throws the errors of `block_pool::take`.
  void open(block_pool& pool, std::uint32_t units) {
    const auto memory = reinterpret_cast<std::uintptr_t>(pool.take(units));
    word_ = memory | floor_log2(units * sizes::k_groups_of_unit);
    for (std::uint32_t i = 0; i < groups(); ++i) first()[i].make_empty();
  }

  /// Destroys the entries and frees the memory.
  void close(block_pool& pool) noexcept {
    if (!is_open()) return;
    if constexpr (!std::is_trivially_destructible_v<Entry>)
      each([](Entry& entry) { std::destroy_at(&entry); });
    pool.give_back(reinterpret_cast<std::byte*>(first()), units());
    *this = {};
  }

  /// Returns the group in which an entry with the hash `place` is most likely stored.
  group* home(hash_place place) const { return &first()[home_of(place)]; }

  /// Returns the entry for which `is_wanted(entry)` is true, or null.
  template <class Wanted>
  Entry* find(hash_place place, const Wanted& is_wanted) const {
    std::uint32_t i = home_of(place);
    for (std::uint32_t seen = 0; seen < groups(); ++seen, i = next(i)) {
      if (Entry* const found = first()[i].find(place.tag(), is_wanted)) return found;
      if (first()[i].passed() == 0) break;
    }
    return nullptr;
  }

  /// Makes an entry from `values`. The block must not be full.
  template <class... Values>
  Entry* add(hash_place place, Values&&... values) {
    for (std::uint32_t i = home_of(place);; i = next(i)) {
      // A full group takes nothing of the values. NOLINTNEXTLINE(bugprone-use-after-move)
      if (Entry* const made = first()[i].add(place.tag(), std::forward<Values>(values)...))
        return made;
      first()[i].one_passes();
    }
  }

  /// Removes the entry for which `is_wanted(entry)` is true. Returns false if there is no such
  /// entry.
  template <class Wanted>
  bool remove(hash_place place, const Wanted& is_wanted) {
    std::uint32_t i = home_of(place);
    for (std::uint32_t seen = 0; seen < groups(); ++seen, i = next(i)) {
      const std::size_t slot = first()[i].slot_of(place.tag(), is_wanted);
      if (slot != group::k_slots) {
        remove_at({place, i, static_cast<std::uint32_t>(slot)});
        return true;
      }
      if (first()[i].passed() == 0) break;
    }
    return false;
  }

  /// Writes the positions of all entries for which `is_wanted(place)` is true to `positions`, and
  /// returns their number. The array needs space for one more than all entries. The loop has no
  /// branches that depend on the entries.
  template <class PlaceOf, class Wanted>
  std::size_t collect(position* positions, const PlaceOf& place_of, const Wanted& is_wanted) const {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < groups(); ++i) {
      std::array<std::uint8_t, group::k_slots + 1> used;
      const std::size_t of_group = first()[i].used_slots(used.data());
      for (std::size_t j = 0; j < of_group; ++j) {
        const hash_place place = place_of(first()[i][used[j]]);
        positions[count] = {place, i, used[j]};
        count += is_wanted(place) ? 1 : 0;
      }
    }
    return count;
  }

  Entry& at(const position& of) const { return first()[of.group][of.slot]; }

  void remove_at(const position& of) {
    first()[of.group].remove(of.slot);
    for (std::uint32_t i = home_of(of.place); i != of.group; i = next(i)) first()[i].one_returns();
  }

  /// Calls `visit(entry)` for each entry.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < groups(); ++i) {
      std::array<std::uint8_t, group::k_slots + 1> used;
      const std::size_t count = first()[i].used_slots(used.data());
      for (std::size_t j = 0; j < count; ++j) visit(first()[i][used[j]]);
    }
  }

 private:
  // Bits of the word for the number of groups; they are free because blocks are aligned.
  static constexpr std::uintptr_t k_log2_groups = k_line - 1;

  group* first() const { return reinterpret_cast<group*>(word_ & ~k_log2_groups); }
  std::uint32_t log2_groups() const { return static_cast<std::uint32_t>(word_ & k_log2_groups); }
  std::uint32_t groups() const { return std::uint32_t{1} << log2_groups(); }
  std::uint32_t home_of(hash_place place) const { return place.group(log2_groups()); }
  std::uint32_t next(std::uint32_t i) const { return (i + 1) & (groups() - 1); }

  std::uintptr_t word_ = 0;
};

}  // namespace atl::container
