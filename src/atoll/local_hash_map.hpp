#pragma once
// Hash map and hash set in the memory of one PE.

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

/// Becomes a T where it is needed, and not before.
template <class T, class Given>
struct becoming {
  const Given& given;

  operator T() const { return T(given); }
};

/// A T can be made of it, but only where that is said.
template <class Given, class T>
concept made_into =
    std::constructible_from<T, const Given&> && !std::convertible_to<const Given&, const T&>;

}  // namespace container

/// Values by their keys, in private memory of one PE, which alone uses it; otherwise as
/// local_hash_set. Addresses of values hold until the next insert.
template <class Key, class Value>
class local_hash_map : public container::local_hash_table<Key, container::key_and_value<Key, Value>,
                                                          container::key_of_pair> {
  using entry = container::key_and_value<Key, Value>;

 public:
  /// The value of the key, and true where it was not there; then it is made of `value`. Throws
  /// as `reserve`.
  std::pair<Value*, bool> insert(const Key& key, const Value& value) {
    const auto [at, is_new] = this->find_or_add(key, key, value);
    return {&at->value, is_new};
  }

  /// The same of what they can be made of (of views of strings, strings), which is done only where
  /// the key was not there.
  template <class Asked, class Given>
    requires container::made_into<Asked, Key> || container::made_into<Given, Value>
  std::pair<Value*, bool> insert(const Asked& key, const Given& value) {
    const auto [at, is_new] = this->find_or_add(key, container::becoming<Key, Asked>{key},
                                                container::becoming<Value, Given>{value});
    return {&at->value, is_new};
  }

  /// As `insert`, for a key that is known not to be there; the table does not look for it.
  template <class Asked, class Given>
  Value* insert_new(const Asked& key, const Given& value) {
    return &this->add_entry(key, container::becoming<Key, Asked>{key},
                            container::becoming<Value, Given>{value})
                ->value;
  }

  /// As `insert`, and the value is `value` also where the key was there. True: it was not.
  bool insert_or_assign(const Key& key, const Value& value) {
    return assign(insert(key, value), value);
  }
  template <class Asked, class Given>
    requires container::made_into<Asked, Key> || container::made_into<Given, Value>
  bool insert_or_assign(const Asked& key, const Given& value) {
    return assign(insert(key, value), value);
  }

  /// The value of the key, made as `Value()` where it was not there. Throws as `insert`.
  Value& operator[](const Key& key) { return *insert(key, Value()).first; }

  /// Null: it is not there.
  template <class Asked>
  Value* find(const Asked& key) {
    entry* const at = this->find_entry(key);
    return at == nullptr ? nullptr : &at->value;
  }
  template <class Asked>
  const Value* find(const Asked& key) const {
    const entry* const at = this->find_entry(key);
    return at == nullptr ? nullptr : &at->value;
  }

  /// Calls `found(i, value of keys[i])` once for each, in no order, null where there is
  /// none; faster than one by one.
  template <class Found>
  void find_each(std::span<const Key> keys, Found&& found) const {
    this->find_entries(
        keys, [&](std::size_t i, entry* at) { found(i, at == nullptr ? nullptr : &at->value); });
  }

  /// Calls `visit(key, value)` for each, in no order; it may change the value.
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
