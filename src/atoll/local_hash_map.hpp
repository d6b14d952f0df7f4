#pragma once
// A hash map and a hash set in the private memory of one PE.

#include "atoll/container/local_hash_table.hpp"

namespace atl {

namespace container {

template <class Key, class Value>
struct key_and_value {
  Key key;
  [[no_unique_address]] Value value;
};

struct key_of_pair {
  const auto& operator()(const auto& entry) const { return entry.key; }
};

/// Holds a reference to `given`, and converts it to a T only if the table asks for a T.
template <class T, class Given>
struct becoming {
  const Given& given;

  operator T() const { return T(given); }
};

/// Types from which a T can be constructed explicitly, but not implicitly.
template <class Given, class T>
concept made_into =
    std::constructible_from<T, const Given&> && !std::convertible_to<const Given&, const T&>;

}  // namespace container

/// A map from keys to values in the private memory of one PE. No other PE may use the map. The
/// rules of local_hash_set hold for this class too. The address of a value is valid until the next
/// insert.
template <class Key, class Value>
class local_hash_map : public container::local_hash_table<Key, container::key_and_value<Key, Value>,
                                                          container::key_of_pair> {
  using entry = container::key_and_value<Key, Value>;

 public:
  /// Inserts the key with `value` if the map does not have the key. Returns the address of the
  /// value of the key, and whether the key was new. Throws the errors of `reserve`.
  std::pair<Value*, bool> insert(const Key& key, const Value& value) {
    const auto [at, is_new] = this->find_or_add(key, key, value);
    return {&at->value, is_new};
  }

  /// Inserts a key and a value that are constructed from the arguments, for example strings from
  /// views. Key and value are constructed only if the map does not have the key. Returns the
  /// address of the value, and whether the key was new. Throws the errors of `reserve`.
  template <class Asked, class Given>
    requires container::made_into<Asked, Key> || container::made_into<Given, Value>
  std::pair<Value*, bool> insert(const Asked& key, const Given& value) {
    const auto [at, is_new] = this->find_or_add(key, container::becoming<Key, Asked>{key},
                                                container::becoming<Value, Given>{value});
    return {&at->value, is_new};
  }

  /// Inserts a key that the map does not have. The caller must know that the key is new, because
  /// the table is not searched. Returns the address of the value. Throws the errors of `reserve`.
  template <class Asked, class Given>
  Value* insert_new(const Asked& key, const Given& value) {
    return &this->add_entry(key, container::becoming<Key, Asked>{key},
                            container::becoming<Value, Given>{value})
                ->value;
  }

  /// Inserts the key with `value`, or replaces the value if the map has the key. Returns whether
  /// the key was new. Throws the errors of `reserve`.
  bool insert_or_assign(const Key& key, const Value& value) {
    return assign(insert(key, value), value);
  }
  /// Inserts the key with `value`, or replaces the value if the map has the key. A new key is
  /// constructed from `key`. Returns whether the key was new.
  template <class Asked, class Given>
    requires container::made_into<Asked, Key> || container::made_into<Given, Value>
  bool insert_or_assign(const Asked& key, const Given& value) {
    return assign(insert(key, value), value);
  }

  /// Returns the value of the key. If the map does not have the key, the key is inserted with the
  /// value `Value()`. Throws the errors of `reserve`.
  Value& operator[](const Key& key) { return *insert(key, Value()).first; }

  /// Returns the address of the value of the key, or null if the map does not have the key.
  template <class Asked>
  Value* find(const Asked& key) {
    entry* const at = this->find_entry(key);
    return at == nullptr ? nullptr : &at->value;
  }
  /// Returns the address of the value of the key, or null if the map does not have the key.
  template <class Asked>
  const Value* find(const Asked& key) const {
    const entry* const at = this->find_entry(key);
    return at == nullptr ? nullptr : &at->value;
  }

  /// Calls `found(i, address)` once for each key `keys[i]`, in no particular order. The address is
  /// that of the value, or null if the map does not have the key. This function is faster than
  /// calls of `find` because cache misses overlap.
  template <class Found>
  void find_each(std::span<const Key> keys, Found&& found) const {
    this->find_entries(
        keys, [&](std::size_t i, entry* at) { found(i, at == nullptr ? nullptr : &at->value); });
  }

  /// Calls `visit(key, value)` for each key, in no particular order. `visit` may change the value.
  template <class Visit>
  void for_each(Visit&& visit) {
    this->each_entry([&](entry& one) { visit(std::as_const(one.key), one.value); });
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    this->each_entry([&](const entry& one) { visit(one.key, one.value); });
  }

 private:
  template <class Given>
  static bool assign(const std::pair<Value*, bool>& inserted, const Given& value) {
    if (!inserted.second) *inserted.first = value;
    return inserted.second;
  }
};

/// A set of keys in the private memory of one PE. No other PE may use the set. The table uses open
/// addressing, and a lookup usually reads one cache line. The set grows in steps that each move one
/// block of keys, so no insert takes long. The type of keys must have a `key_hash`. The address of
/// a key is valid until the next insert.
template <class Key>
class local_hash_set : public container::local_hash_table<Key, Key, std::identity> {
 public:
  /// Inserts the key. Returns whether the key was new. Throws the errors of `reserve`.
  bool insert(const Key& key) { return this->find_or_add(key, key).second; }

  /// Returns whether the set has the key.
  template <class Asked>
  bool contains(const Asked& key) const {
    return this->find_entry(key) != nullptr;
  }

  /// Calls `found(i, present)` once for each key `keys[i]`, in no particular order. `present` tells
  /// whether the set has the key. This function is faster than calls of `contains` because cache
  /// misses overlap.
  template <class Found>
  void contains_each(std::span<const Key> keys, Found&& found) const {
    this->find_entries(keys, [&](std::size_t i, const Key* key) { found(i, key != nullptr); });
  }

  /// Calls `visit(key)` for each key, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    this->each_entry([&](const Key& key) { visit(key); });
  }
};

}  // namespace atl
