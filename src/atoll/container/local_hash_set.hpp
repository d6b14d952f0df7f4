#pragma once

#include "atoll/container/local_hash_table.hpp"

namespace atl {

/// A set of keys in private memory of one PE, which alone uses it: open addressing, one cache line
/// a lookup. It grows by itself, and nobody waits for more than the move of one block. Keys have a
/// `key_hash`, and their addresses hold until the next insert.
template <class Key>
class local_hash_set : public container::local_hash_table<Key, Key, std::identity> {
 public:
  /// False: it was there already. Throws as `reserve`.
  bool insert(const Key& key) { return this->find_or_add(key, key).second; }

  template <class Asked>
  bool contains(const Asked& key) const {
    return this->find_entry(key) != nullptr;
  }

  /// Calls `found(i, whether keys[i] is there)` once for each, in no order; faster than one by one.
  template <class Found>
  void contains_each(std::span<const Key> keys, Found&& found) const {
    this->find_entries(keys, [&](std::size_t i, const Key* key) { found(i, key != nullptr); });
  }

  /// Calls `visit(key)` for each, in no order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    this->each_entry([&](const Key& key) { visit(key); });
  }
};

}  // namespace atl
