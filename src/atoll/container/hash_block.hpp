#pragma once
// A block of a hash table: a small table of its own, which grows by itself when it is full, so that
// nobody ever waits for more than the move of one block. An entry lies in the group that its hash
// names, or in one of the next; how many went on from a group is counted there (as F14 of Folly
// does it), so that a search knows where to stop and removing leaves nothing behind.

#include "atoll/container/block_pool.hpp"
#include "atoll/container/hash_group.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <type_traits>
#include <utility>

namespace atl::container {

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
