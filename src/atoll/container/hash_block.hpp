#pragma once
// This file has the blocks of which the hash table of a PE consists. A block is a small hash table
// of its own, and consists of groups of entries.

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

// A group holds 7 to 15 entries. If seven entries fit into one cache line, a group is one cache
// line. If the entries are larger, a group is a few cache lines. A group begins with one tag per
// entry: a byte of the entry's hash. Because a lookup compares tags first, most lookups read one
// cache line and compare one key.

static_assert(std::endian::native == std::endian::little, "bytes of a word are counted from below");

inline constexpr std::size_t k_line = 64;

/// Returns the number of entries per group. A group uses the smallest number of cache lines that
/// can hold seven entries. A group has as many entries as fit into its cache lines, but at most 15.
constexpr std::size_t slots_of_group(std::size_t entry_bytes, std::size_t entry_alignment) {
  for (std::size_t lines = 1;; ++lines) {
    for (std::size_t slots = 15; slots >= 7; --slots) {
      const std::size_t tags = slots <= 7 ? 8 : 16;
      if (round_up(tags, entry_alignment) + slots * entry_bytes <= lines * k_line) return slots;
    }
  }
}

/// Returns a word in which the highest bit of each byte is set if the same byte of `word` is 0.
constexpr std::uint64_t empty_bytes(std::uint64_t word) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
  return ~(((word & low) + low) | word | low);
}

/// Returns a word in which the highest bit of each byte is set if the same byte of `word` equals
/// `tag`. In the byte after a match, the highest bit may be set although the byte differs from
/// `tag`. A bit that is set wrongly only costs an additional comparison of keys.
constexpr std::uint64_t bytes_like(std::uint64_t word, std::uint8_t tag) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t different = word ^ (tag * ones);
  return (different - ones) & ~different & (0x80 * ones);
}

/// A group of entries. Call `make_empty` before the first use, because groups lie in uninitialised
/// memory. A slot whose tag is 0 contains no entry.
template <class Entry>
class alignas(k_line) hash_group {
 public:
  static constexpr std::size_t k_slots = slots_of_group(sizeof(Entry), alignof(Entry));

  void make_empty() { words_ = {}; }

  Entry& operator[](std::size_t slot) { return entries()[slot]; }

  /// Returns the slot of an entry that has the tag `tag` and for which `is_wanted(entry)` is true.
  /// Returns `k_slots` if no such entry exists.
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

  /// Writes the numbers of the used slots to the array `slots`, which must have space for all
  /// slots. Returns how many slots are used. The loop has no branch on whether a slot is used,
  /// because the processor could not predict the branch.
  std::size_t used_slots(std::uint8_t* slots) const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < k_slots; ++slot) {
      slots[count] = static_cast<std::uint8_t>(slot);
      count += (words_[slot / 8] >> (8 * (slot % 8)) & 0xff) != 0 ? 1 : 0;
    }
    return count;
  }

  /// Constructs an entry from `values` in a free slot, and returns the entry. Returns null if no
  /// slot is free.
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

  /// Returns the number of entries whose hash selects this group, but that are in a later group
  /// because this group was full. The number 255 means 255 or more.
  std::uint8_t passed() const { return static_cast<std::uint8_t>(words_[k_words - 1] >> 56); }
  void one_passes() {
    if (passed() != k_many) words_[k_words - 1] += k_one_passed;
  }
  /// Decreases `passed()` by one, because an entry whose hash selects this group was removed from a
  /// later group.
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

  // The cast removes const, because a const table also gives access to its entries.
  Entry* entries() const { return reinterpret_cast<Entry*>(const_cast<std::byte*>(bytes_)); }

  // Each slot has one byte, which is its tag. The last byte is the number that `passed` returns.
  std::array<std::uint64_t, k_words> words_;
  alignas(Entry) std::byte bytes_[k_slots * sizeof(Entry)];
};

// A full block grows separately from other blocks, so an insertion never moves more entries than
// one block has. The hash of an entry selects a group of the block. If the selected group is full,
// the entry is stored in one of the next groups. A full group counts the entries that it would hold
// but that are in later groups (as in F14 of Folly). A search stops at a group whose count is 0.
// Because of the counts, removals need no tombstones (marks of removed entries).

/// The hash of an entry, divided into the bits that select the block, the group and the tag. The
/// highest bits of the hash select the PE.
class hash_place {
 public:
  explicit hash_place(std::uint64_t hash) : hash_(hash) {}

  /// Returns the tag, which is derived from the lowest byte of the hash. The tag is at least 2,
  /// because the tag 0 marks an empty slot, and `bytes_like` could find empty slots wrongly for the
  /// tag 1.
  std::uint8_t tag() const {
    const auto low = static_cast<std::uint8_t>(hash_);
    return low < 2 ? static_cast<std::uint8_t>(low + 2) : low;
  }
  /// Returns the bits that select the block. Only the lowest 24 bits of the result are used.
  std::uint64_t block_bits() const { return hash_ >> 8; }
  /// Returns the number of the group that the hash selects. `log2_groups` is the binary logarithm
  /// of the number of groups.
  std::uint32_t group(std::uint32_t log2_groups) const {
    const std::uint64_t known = (std::uint64_t{1} << log2_groups) - 1;
    return static_cast<std::uint32_t>(hash_ >> 32 & known);
  }

 private:
  std::uint64_t hash_;
};

/// The sizes of blocks. A block consists of units, each unit of one or more groups. The number of
/// units of a block is a power of two.
template <class Group>
struct block_sizes {
  static constexpr std::uint32_t k_groups_of_unit =
      std::bit_floor(std::max<std::uint32_t>(1, 256 / static_cast<std::uint32_t>(sizeof(Group))));
  static constexpr std::size_t k_unit_bytes = k_groups_of_unit * sizeof(Group);

  /// Usual number of units of a block. A block of the usual size has about 4 KiB, so that moving
  /// the block takes about a microsecond.
  static constexpr std::uint32_t k_usual =
      std::bit_ceil(std::max<std::uint32_t>(2, 4096 / k_unit_bytes));

  /// Returns the largest number of entries of a block with `units` units, which is seven eighths of
  /// its slots. Because an eighth of the slots stays free, nearly all entries are in the group that
  /// their hash selects, or in the next group.
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

/// A block of a hash table, whose memory comes from a pool. A new block has no memory until `open`.
/// The object is only one 64-bit word, because lookups read `hash_block` objects from an array. A
/// block does not count its entries, so the caller of `add` must count them.
template <class Entry>
class hash_block {
 public:
  using group = hash_group<Entry>;
  using sizes = block_sizes<group>;

  /// The hash of an entry, and its position in the block: group and slot.
  struct position {
    hash_place place{0};
    std::uint32_t group = 0;
    std::uint32_t slot = 0;
  };

  std::uint32_t units() const { return groups() / sizes::k_groups_of_unit; }
  bool is_open() const { return word_ != 0; }

  /// Allocates memory of `units` units. Throws the errors of `block_pool::take`.
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

  /// Returns the group that the hash `place` selects, in which most entries with the hash are
  /// stored.
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

  /// Constructs an entry with the hash `place` from `values`, and returns the entry. The block must
  /// not be full.
  template <class... Values>
  Entry* add(hash_place place, Values&&... values) {
    for (std::uint32_t i = home_of(place);; i = next(i)) {
      // A full group leaves the values unchanged. NOLINTNEXTLINE(bugprone-use-after-move)
      if (Entry* const made = first()[i].add(place.tag(), std::forward<Values>(values)...))
        return made;
      first()[i].one_passes();
    }
  }

  /// Removes the entry with the hash `place` for which `is_wanted(entry)` is true. Returns false if
  /// no such entry exists.
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

  /// Finds all entries for which `is_wanted(place)` is true, and writes their positions to the
  /// array `positions`. Returns the number of entries found. The array must have space for one more
  /// position than the block has entries. The loop has no branch that depends on the entries,
  /// because the processor could not predict the branch.
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
  // The lowest bits of the word hold the logarithm of the number of groups. The lowest bits of the
  // block's address are always 0, because blocks begin at cache lines.
  static constexpr std::uintptr_t k_log2_groups = k_line - 1;

  group* first() const { return reinterpret_cast<group*>(word_ & ~k_log2_groups); }
  std::uint32_t log2_groups() const { return static_cast<std::uint32_t>(word_ & k_log2_groups); }
  std::uint32_t groups() const { return std::uint32_t{1} << log2_groups(); }
  std::uint32_t home_of(hash_place place) const { return place.group(log2_groups()); }
  std::uint32_t next(std::uint32_t i) const { return (i + 1) & (groups() - 1); }

  std::uintptr_t word_ = 0;
};

}  // namespace atl::container
