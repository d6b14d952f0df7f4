#pragma once
// A block of a hash table, which is a small table of its own, and the groups of entries that it
// is made of.

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

// A few entries of a hash table side by side in one cache line, or in as few as hold seven of them,
// and a byte of each one's hash before them: so most lookups read one line, and compare one key.

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

// A block of a hash table: a small table of its own, which grows by itself when it is full, so that
// nobody ever waits for more than the move of one block. An entry lies in the group that its hash
// names, or in one of the next; how many went on from a group is counted there (as F14 of Folly
// does it), so that a search knows where to stop and removing leaves nothing behind.

/// The parts of a hash that say where in the table of a PE an entry is. The highest bits are left
/// to say which PE that is.
class hash_place {
 public:
  explicit hash_place(std::uint64_t hash) : hash_(hash) {}

  /// Neither 0, which is an empty slot, nor 1, which `bytes_like` may take for one.
  std::uint8_t tag() const {
    const auto low = static_cast<std::uint8_t>(hash_);
    return low < 2 ? static_cast<std::uint8_t>(low + 2) : low;
  }
  /// 24 bits: which block.
  std::uint64_t block_bits() const { return hash_ >> 8; }
  /// Which of a power of two of groups.
  std::uint32_t group(std::uint32_t log2_groups) const {
    const std::uint64_t known = (std::uint64_t{1} << log2_groups) - 1;
    return static_cast<std::uint32_t>(hash_ >> 32 & known);
  }

 private:
  std::uint64_t hash_;
};

/// How much memory blocks take, in units of some groups: a power of two of them.
template <class Group>
struct block_sizes {
  static constexpr std::uint32_t k_groups_of_unit =
      std::bit_floor(std::max<std::uint32_t>(1, 256 / static_cast<std::uint32_t>(sizeof(Group))));
  static constexpr std::size_t k_unit_bytes = k_groups_of_unit * sizeof(Group);

  /// Of a block as most are: 4 KiB, so that a move takes about a microsecond.
  static constexpr std::uint32_t k_usual =
      std::bit_ceil(std::max<std::uint32_t>(2, 4096 / k_unit_bytes));

  /// Seven of eight slots: then hardly any entry is further than in the next group.
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

/// Its memory is the pool's; without any, until it is opened. One word, since a lookup reads one of
/// as many as there are blocks; whoever adds counts the entries.
template <class Entry>
class hash_block {
 public:
  using group = hash_group<Entry>;
  using sizes = block_sizes<group>;

  /// Where an entry lies, and its place.
  struct position {
    hash_place place{0};
    std::uint32_t group = 0;
    std::uint32_t slot = 0;
  };

  std::uint32_t units() const { return groups() / sizes::k_groups_of_unit; }
  bool is_open() const { return word_ != 0; }

  /// Takes so many units. Throws as the pool.
  void open(block_pool& pool, std::uint32_t units) {
    const auto memory = reinterpret_cast<std::uintptr_t>(pool.take(units));
    word_ = memory | floor_log2(units * sizes::k_groups_of_unit);
    for (std::uint32_t i = 0; i < groups(); ++i) first()[i].make_empty();
  }

  /// Destroys its entries and gives its memory back.
  void close(block_pool& pool) noexcept {
    if (!is_open()) return;
    if constexpr (!std::is_trivially_destructible_v<Entry>)
      each([](Entry& entry) { std::destroy_at(&entry); });
    pool.give_back(reinterpret_cast<std::byte*>(first()), units());
    *this = {};
  }

  /// Where most entries of that place are.
  group* home(hash_place place) const { return &first()[home_of(place)]; }

  /// The entry of which `is_wanted(entry)` is true, or null.
  template <class Wanted>
  Entry* find(hash_place place, const Wanted& is_wanted) const {
    std::uint32_t i = home_of(place);
    for (std::uint32_t seen = 0; seen < groups(); ++seen, i = next(i)) {
      if (Entry* const found = first()[i].find(place.tag(), is_wanted)) return found;
      if (first()[i].passed() == 0) break;
    }
    return nullptr;
  }

  /// Makes an entry. The block must not be full.
  template <class... Values>
  Entry* add(hash_place place, Values&&... values) {
    for (std::uint32_t i = home_of(place);; i = next(i)) {
      // A full group takes nothing of the values. NOLINTNEXTLINE(bugprone-use-after-move)
      if (Entry* const made = first()[i].add(place.tag(), std::forward<Values>(values)...))
        return made;
      first()[i].one_passes();
    }
  }

  /// False: there is no such entry.
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

  /// Writes the positions of the entries that are wanted, by their places, to `positions`, which
  /// has room for one more than all. Without branches on either.
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

  /// Calls `visit(entry)` for each.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < groups(); ++i) {
      std::array<std::uint8_t, group::k_slots + 1> used;
      const std::size_t count = first()[i].used_slots(used.data());
      for (std::size_t j = 0; j < count; ++j) visit(first()[i][used[j]]);
    }
  }

 private:
  static constexpr std::uintptr_t k_log2_groups = k_line - 1;  // of the word: blocks are aligned

  group* first() const { return reinterpret_cast<group*>(word_ & ~k_log2_groups); }
  std::uint32_t log2_groups() const { return static_cast<std::uint32_t>(word_ & k_log2_groups); }
  std::uint32_t groups() const { return std::uint32_t{1} << log2_groups(); }
  std::uint32_t home_of(hash_place place) const { return place.group(log2_groups()); }
  std::uint32_t next(std::uint32_t i) const { return (i + 1) & (groups() - 1); }

  std::uintptr_t word_ = 0;
};

}  // namespace atl::container
