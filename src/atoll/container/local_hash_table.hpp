#pragma once
// What a local hash set and a local hash map have in common, and the list of blocks in which
// their entries lie.

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

// The blocks of a growing hash table. Linear hashing (Litwin, "Linear hashing: a new tool for file
// and table addressing", 1980) says which block an entry is in: blocks are split one after the
// other as the table grows, so that their list only gets longer. Blocks not yet split hold up to
// twice as much as the others; each grows by itself.

/// `HashOf` gives the hash of an entry. Of one PE, and used by that alone.
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

  /// They are so few that they are likely in the second-level cache.
  bool fit_the_cache() const { return blocks_ <= 64; }

  /// Where an entry of that place is, if it is; null: there are none at all.
  const block* of(hash_place place) const { return blocks_ == 0 ? nullptr : &at(number_of(place)); }

  /// The entry of which `is_wanted(entry)` is true, or null.
  template <class Wanted>
  Entry* find(hash_place place, const Wanted& is_wanted) const {
    return blocks_ == 0 ? nullptr : at(number_of(place)).find(place, is_wanted);
  }

  /// An entry of that place, made of `values`. Moves at most one block. Throws as the pool, and
  /// nothing has changed then.
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

  /// False: there is no entry of which `is_wanted(entry)` is true.
  template <class Wanted>
  bool remove(hash_place place, const Wanted& is_wanted) {
    const std::uint64_t number = number_of(place);
    if (blocks_ == 0 || !at(number).remove(place, is_wanted)) return false;
    --entries_in(number);
    --entries_;
    return true;
  }

  /// Takes memory for so many entries in all, and moves those that are there. No block moves before
  /// they are exceeded, but one in a million by chance. Throws as the pool, and nothing has
  /// changed then.
  void reserve(std::uint64_t entries) {
    if (entries <= entries_) return;
    hash_blocks larger;
    while (larger.blocks_ * k_mean_entries < entries) larger.append({});
    for (std::uint64_t i = 0; i < larger.blocks_; ++i)
      larger.at(i).open(larger.pool_, larger.units_of_share(i, entries));
    each([&](Entry& entry) { larger.add_new(place_of(entry), std::move(entry)); });
    swap(larger);
  }

  /// Without entries, and without memory.
  void clear() noexcept {
    for (std::uint64_t i = 0; i < blocks_; ++i) at(i).close(pool_);
    lists_.clear();
    pool_ = block_pool(sizes::k_unit_bytes);
    entries_ = blocks_ = entries_before_split_ = unsplit_ = 0;
  }

  /// Calls `visit(entry)` for each.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::uint64_t i = 0; i < blocks_; ++i) at(i).each(visit);
  }

 private:
  using group = typename block::group;
  using sizes = typename block::sizes;

  // Blocks not yet split hold up to twice as many.
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

  /// Blocks before the one split next, and those that came of them, are told apart by one bit more.
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

  /// What may fail is made before it has a place.
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

  /// What of so many entries falls into a block, and what chance may add.
  std::uint32_t units_of_share(std::uint64_t number, std::uint64_t entries) const {
    const bool is_split = number < blocks_ - unsplit_ || number >= unsplit_;
    const double share =
        static_cast<double>(entries) / static_cast<double>(unsplit_ * (is_split ? 2 : 1));
    return sizes::with_room_for(static_cast<std::uint64_t>(share + 5 * std::sqrt(share)) + 1);
  }

  /// The number of the block into which an entry of that place goes, with room for it.
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

  /// About a half of the entries of a block move to a new one, which has room for as many again;
  /// the others stay, and what becomes free is theirs to fill. Nothing happens without memory for
  /// it: blocks only become fuller.
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
  std::uint64_t unsplit_ = 0;  // so many there were when the splitting of all of them began
};

// What a local hash set and a local hash map have in common.

/// `KeyOf` gives the key of an entry. Of one PE, and used by that alone. A key may be asked for
/// with any type that is compared with it and has the same hash.
template <class Key, class Entry, class KeyOf>
class local_hash_table {
 public:
  std::uint64_t size() const { return blocks_.size(); }
  bool empty() const { return size() == 0; }

  /// Bytes of memory that the table holds.
  std::size_t bytes() const { return blocks_.bytes(); }

  /// Takes memory for so many entries in all, so that none waits for growth. Throws std::bad_alloc
  /// or, within a job and beyond its memory limit, atl::error (out_of_memory); nothing has changed
  /// then.
  void reserve(std::uint64_t entries) { blocks_.reserve(entries); }

  /// Without entries, and without memory.
  void clear() noexcept { blocks_.clear(); }

  /// Brings what a look for `key` will touch into the cache, without waiting for it.
  // Inlined: g++ takes a function that only prefetches for one without effects, and drops its
  // calls.
  template <class Asked>
  [[gnu::always_inline]] void prefetch(const Asked& key) const {
    if (blocks_.fit_the_cache()) return;
    const hash_place place = place_of(key);
    __builtin_prefetch(blocks_.of(place)->home(place));
  }

  /// False: it is not there.
  template <class Asked>
  bool erase(const Asked& key) {
    return blocks_.remove(place_of(key), is(key));
  }

 protected:
  template <class Asked>
  Entry* find_entry(const Asked& key) const {
    return blocks_.find(place_of(key), is(key));
  }

  /// The entry with that key, and true where it was made just now, of `values`.
  template <class Asked, class... Values>
  std::pair<Entry*, bool> find_or_add(const Asked& key, Values&&... values) {
    const hash_place place = place_of(key);
    if (Entry* const found = blocks_.find(place, is(key))) return {found, false};
    return {blocks_.add_new(place, std::forward<Values>(values)...), true};
  }

  /// The entry with that key, which was not there, made of `values`.
  template <class Asked, class... Values>
  Entry* add_entry(const Asked& key, Values&&... values) {
    return blocks_.add_new(place_of(key), std::forward<Values>(values)...);
  }

  /// Calls `found(i, entry)` once for each key, in no order; the entry is null where there is none.
  /// The misses of the cache of many keys overlap: those of the few entries that are not in their
  /// home group come last, for all keys of a stretch.
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
