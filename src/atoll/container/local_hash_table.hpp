#pragma once
// What a local hash set and a local hash map have in common.

#include "atoll/container/hash_blocks.hpp"
#include "atoll/container/key_hash.hpp"

#include <span>
#include <utility>

namespace atl::container {

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
