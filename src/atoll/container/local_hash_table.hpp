#pragma once
// This file has the common base class of the local hash set and the local hash map. A local hash
// set or map is used by one PE alone. The file also has the list of blocks in which a set or a map
// stores its entries.

#include "atoll/container/hash_block.hpp"
#include "atoll/container/key_hash.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace atl::container {

// The table grows by linear hashing (Litwin, "Linear hashing: a new tool for file and table
// addressing", 1980). As the table grows, its blocks are split in two, one after another. Each
// split appends one block to the list of blocks. In each round of splits, a block that has not been
// split yet holds up to twice as many entries as a block that has been split. Because blocks are
// split one after another, growth is divided into many short steps.

/// The entries of a hash table, stored in a list of blocks. `HashOf` is a function object that
/// returns the hash of an entry.
template <class Entry, class HashOf>
class hash_blocks {
  static_assert(std::is_nothrow_move_constructible_v<Entry>, "entries move when the table grows");

 public:
  using block = hash_block<Entry>;

  hash_blocks() = default;
  hash_blocks(const hash_blocks&) = delete;
  hash_blocks& operator=(const hash_blocks&) = delete;
  ~hash_blocks() { clear(); }

  std::uint64_t size() const { return entries_; }
  std::size_t bytes() const { return pool_.bytes() + lists_.size() * sizeof(list); }

  /// Returns true if all blocks together probably fit into the second-level cache.
  bool fit_the_cache() const { return blocks_ <= 64; }

  /// Returns the block that contains all entries with the hash `place`. Returns null if the table
  /// has no blocks.
  const block* of(hash_place place) const { return blocks_ == 0 ? nullptr : &at(number_of(place)); }

  /// Returns the entry for which `is_wanted(entry)` is true, or null.
  template <class Wanted>
  Entry* find(hash_place place, const Wanted& is_wanted) const {
    return blocks_ == 0 ? nullptr : at(number_of(place)).find(place, is_wanted);
  }

  /// Constructs an entry with the hash `place` from `values`, and returns the entry. The call moves
  /// the entries of at most one block. Throws the errors of `block_pool::take`, and then changes
  /// nothing.
  template <class... Values>
  Entry* add_new(hash_place place, Values&&... values) {
    std::uint64_t number = number_of(place);
    if (entries_ >= entries_before_split_ || is_full(number)) [[unlikely]]
      number = make_room(place);
    Entry* const made = add(number, place, std::forward<Values>(values)...);
    ++entries_in(number);
    ++entries_;
    return made;
  }

  /// Removes the entry with the hash `place` for which `is_wanted(entry)` is true. Returns false if
  /// no such entry exists.
  template <class Wanted>
  bool remove(hash_place place, const Wanted& is_wanted) {
    const std::uint64_t number = number_of(place);
    if (blocks_ == 0 || !at(number).remove(place, is_wanted)) return false;
    --entries_in(number);
    --entries_;
    return true;
  }

  /// Allocates memory for `entries` entries in total, and moves the present entries into the new
  /// memory. Until the table has more than `entries` entries, blocks almost never need to grow.
  /// Throws the errors of `block_pool::take`, and then changes nothing.
  void reserve(std::uint64_t entries) {
    if (entries <= entries_) return;
    hash_blocks larger;
    while (larger.blocks_ * k_mean_entries < entries) larger.append({});
    for (std::uint64_t i = 0; i < larger.blocks_; ++i)
      larger.at(i).open(larger.pool_, larger.units_of_share(i, entries));
    each([&](Entry& entry) { larger.add_new(place_of(entry), std::move(entry)); });
    swap(larger);
  }

  /// Removes all entries and frees the memory.
  void clear() noexcept {
    for (std::uint64_t i = 0; i < blocks_; ++i) at(i).close(pool_);
    lists_.clear();
    pool_ = block_pool(sizes::k_unit_bytes);
    entries_ = blocks_ = entries_before_split_ = unsplit_ = 0;
  }

  /// Calls `visit(entry)` for each entry.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::uint64_t i = 0; i < blocks_; ++i) at(i).each(visit);
  }

 private:
  using group = typename block::group;
  using sizes = typename block::sizes;

  // Mean number of entries per block. A block that has not been split yet holds up to twice the
  // mean number of entries.
  static constexpr std::uint64_t k_mean_entries = sizes::capacity(sizes::k_usual) / 2;
  static constexpr std::size_t k_listed = 256;

  struct list {
    std::array<block, k_listed> blocks{};
    std::array<std::uint32_t, k_listed> entries{};
  };

  block& at(std::uint64_t i) const { return lists_[i / k_listed]->blocks[i % k_listed]; }
  std::uint32_t& entries_in(std::uint64_t i) const {
    return lists_[i / k_listed]->entries[i % k_listed];
  }
  bool is_full(std::uint64_t i) const { return entries_in(i) >= sizes::capacity(at(i).units()); }

  /// Returns the number of the block for the hash `place`. If a block has been split, one more bit
  /// of the hash selects one of the two halves.
  std::uint64_t number_of(hash_place place) const {
    const std::uint64_t fine = place.block_bits() & (2 * unsplit_ - 1);
    return fine < blocks_ ? fine : fine - unsplit_;
  }

  void swap(hash_blocks& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(lists_, other.lists_);
    std::swap(entries_, other.entries_);
    std::swap(blocks_, other.blocks_);
    std::swap(entries_before_split_, other.entries_before_split_);
    std::swap(unsplit_, other.unsplit_);
  }

  static hash_place place_of(const Entry& entry) { return hash_place(HashOf()(entry)); }

  /// Adds an entry to block `number`. If the constructor of the entry can throw, the entry is first
  /// constructed outside of the block.
  template <class... Values>
  Entry* add(std::uint64_t number, hash_place place, Values&&... values) {
    if constexpr (std::is_trivially_copyable_v<Entry> ||
                  std::is_nothrow_constructible_v<Entry, Values...>) {
      return at(number).add(place, std::forward<Values>(values)...);
    } else {
      return at(number).add(place, Entry(std::forward<Values>(values)...));
    }
  }

  void append(block last) {
    if (blocks_ == lists_.size() * k_listed) lists_.push_back(std::make_unique<list>());
    at(blocks_) = last;
    entries_in(blocks_) = 0;
    ++blocks_;
    entries_before_split_ = blocks_ * k_mean_entries;
    if (blocks_ == 2 * unsplit_ || blocks_ == 1) unsplit_ = blocks_;
  }

  void open_first() {
    block first;
    first.open(pool_, 1);
    try {
      append(first);
    } catch (...) {
      first.close(pool_);
      throw;
    }
  }

  /// Returns the number of units that block `number` needs if the table has `entries` entries. The
  /// number includes a margin, because the number of entries per block varies at random.
  std::uint32_t units_of_share(std::uint64_t number, std::uint64_t entries) const {
    const bool is_split = number < blocks_ - unsplit_ || number >= unsplit_;
    const double share =
        static_cast<double>(entries) / static_cast<double>(unsplit_ * (is_split ? 2 : 1));
    return sizes::with_room_for(static_cast<std::uint64_t>(share + 5 * std::sqrt(share)) + 1);
  }

  /// Makes space for one entry with the hash `place`, and returns the number of the block for the
  /// entry.
  [[gnu::noinline]] std::uint64_t make_room(hash_place place) {
    if (blocks_ == 0)
      open_first();
    else if (is_full(number_of(place)))
      grow(number_of(place));
    else
      split_next();
    return number_of(place);
  }

  void grow(std::uint64_t number) {
    block& full = at(number);
    const auto all = collected(number, [](hash_place) { return true; });
    block larger;
    larger.open(pool_, 2 * full.units());
    for (const auto& one : all) larger.add(one.place, std::move(full.at(one)));
    full.close(pool_);
    full = larger;
  }

  /// Splits the next block: about half of its entries move to a new block. The other entries stay
  /// in the old block, whose freed slots can be used again. If memory is too short, no block is
  /// split: the table still works, but blocks hold more entries.
  void split_next() {
    const std::uint64_t number = blocks_ - unsplit_;
    const std::uint64_t bit = unsplit_;
    block upper;
    try {
      const auto up =
          collected(number, [bit](hash_place of) { return (of.block_bits() & bit) != 0; });
      upper.open(pool_, sizes::k_usual);
      append(upper);
      move_to_last(number, up);
    } catch (...) {
      upper.close(pool_);
    }
  }

  void move_to_last(std::uint64_t number, std::span<const typename block::position> moving) {
    block& old = at(number);
    for (const auto& one : moving) {
      at(blocks_ - 1).add(one.place, std::move(old.at(one)));
      old.remove_at(one);
    }
    const auto count = static_cast<std::uint32_t>(moving.size());
    entries_in(number) -= count;
    entries_in(blocks_ - 1) += count;
  }

  template <class Wanted>
  std::span<const typename block::position> collected(std::uint64_t number,
                                                      const Wanted& is_wanted) {
    moving_.resize(entries_in(number) + 1);
    return std::span(moving_).first(at(number).collect(moving_.data(), place_of, is_wanted));
  }

  block_pool pool_{sizes::k_unit_bytes};
  std::vector<std::unique_ptr<list>> lists_;
  std::vector<typename block::position> moving_;
  std::uint64_t entries_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t entries_before_split_ = 0;
  std::uint64_t unsplit_ = 0;  // number of blocks at the beginning of the current round of splits
};

// The next class is the common base class of a local hash set and a local hash map.

/// A hash table that one PE uses alone. `KeyOf` is a function object that returns the key of an
/// entry. A lookup accepts any type that can be compared with `Key`, provided that equal values
/// have the same hash.
template <class Key, class Entry, class KeyOf>
class local_hash_table {
 public:
  std::uint64_t size() const { return blocks_.size(); }
  bool empty() const { return size() == 0; }

  /// Returns the size in bytes of the memory that the table holds.
  std::size_t bytes() const { return blocks_.bytes(); }

  /// Allocates memory for `entries` entries in total, so that later insertions need not make the
  /// table grow. Throws std::bad_alloc if the system has no memory. Throws atl::error
  /// (out_of_memory) if the PE would exceed its memory limit. After an error, the table is
  /// unchanged.
  void reserve(std::uint64_t entries) { blocks_.reserve(entries); }

  /// Removes all entries and frees the memory.
  void clear() noexcept { blocks_.clear(); }

  /// Prefetches the memory that a lookup of `key` will probably read.
  // Inlining is forced, because g++ treats a function that only prefetches as a function without
  // effect, and removes calls of the function.
  template <class Asked>
  [[gnu::always_inline]] void prefetch(const Asked& key) const {
    if (blocks_.fit_the_cache()) return;
    const hash_place place = place_of(key);
    __builtin_prefetch(blocks_.of(place)->home(place));
  }

  /// Erases `key`. Returns false if the key was absent.
  template <class Asked>
  bool erase(const Asked& key) {
    return blocks_.remove(place_of(key), is(key));
  }

 protected:
  template <class Asked>
  Entry* find_entry(const Asked& key) const {
    return blocks_.find(place_of(key), is(key));
  }

  /// Returns the entry of `key`. If the key is absent, first constructs the entry from `values`.
  /// The second result is true if the entry was constructed.
  template <class Asked, class... Values>
  std::pair<Entry*, bool> find_or_add(const Asked& key, Values&&... values) {
    const hash_place place = place_of(key);
    if (Entry* const found = blocks_.find(place, is(key))) return {found, false};
    return {blocks_.add_new(place, std::forward<Values>(values)...), true};
  }

  /// Constructs an entry for `key` from `values`, and returns the entry. The key must be absent.
  template <class Asked, class... Values>
  Entry* add_entry(const Asked& key, Values&&... values) {
    return blocks_.add_new(place_of(key), std::forward<Values>(values)...);
  }

  /// Looks many keys up. Calls `found(i, entry)` once for each keys[i], in any order. `entry` is
  /// null if the key is absent. The keys are processed in groups of 32, so that their cache misses
  /// overlap. A key whose entry is not in the most likely place is looked up after the other keys
  /// of its group.
  template <class Found>
  void find_entries(std::span<const Key> keys, Found&& found) const {
    for (std::size_t i = 0; empty() && i < keys.size(); ++i) found(i, static_cast<Entry*>(nullptr));
    if (empty()) return;
    std::array<stretch, 2> looks;
    begin_looks(keys, looks[0]);
    for (std::size_t begin = 0; begin < keys.size(); begin += k_stretch) {
      const auto left = keys.subspan(begin);
      auto& now = looks[begin / k_stretch % 2];
      begin_looks(left.subspan(std::min(k_stretch, left.size())), looks[1 - begin / k_stretch % 2]);
      end_looks(left, now, [&](std::size_t i, Entry* entry) { found(begin + i, entry); });
    }
  }

  template <class Visit>
  void each_entry(Visit&& visit) const {
    blocks_.each(visit);
  }

 private:
  struct hash_of_entry {
    std::uint64_t operator()(const Entry& entry) const { return key_hash<Key>()(KeyOf()(entry)); }
  };
  using group = hash_group<Entry>;

  static constexpr std::size_t k_stretch = 32;
  struct look {
    hash_place place{0};
    const group* home = nullptr;
  };
  using stretch = std::array<look, k_stretch>;

  template <class Asked>
  static hash_place place_of(const Asked& key) {
    return hash_place(key_hash<Key>()(key));
  }
  template <class Asked>
  static auto is(const Asked& key) {
    return [&key](const Entry& entry) { return KeyOf()(entry) == key; };
  }

  void begin_looks(std::span<const Key> keys, stretch& looks) const {
    const std::size_t count = std::min(k_stretch, keys.size());
    for (std::size_t i = 0; i < count; ++i) {
      looks[i].place = place_of(keys[i]);
      looks[i].home = blocks_.of(looks[i].place)->home(looks[i].place);
      __builtin_prefetch(looks[i].home);
    }
  }

  template <class Found>
  void end_looks(std::span<const Key> keys, const stretch& looks, Found&& found) const {
    std::array<std::uint32_t, k_stretch> late;
    std::size_t lates = 0;
    for (std::size_t i = 0; i < std::min(k_stretch, keys.size()); ++i) {
      Entry* const entry = looks[i].home->find(looks[i].place.tag(), is(keys[i]));
      if (entry != nullptr || looks[i].home->passed() == 0) {
        found(i, entry);
      } else {
        late[lates++] = static_cast<std::uint32_t>(i);
        __builtin_prefetch(looks[i].home + 1);
      }
    }
    for (std::size_t i = 0; i < lates; ++i)
      found(late[i],
            blocks_.of(looks[late[i]].place)->find(looks[late[i]].place, is(keys[late[i]])));
  }

  hash_blocks<Entry, hash_of_entry> blocks_;
};

}  // namespace atl::container
