#pragma once
// Hash map and hash set over all PEs: each key lies on the PE that its hash names. Operations are
// linearizable (docs/explanation/memory-model.md).

#include "atoll/container/global_hash_table.hpp"

namespace atl {

/// Values by their keys, on all PEs; otherwise as global_hash_set. Values are made by Value(), and
/// for them goes what is said of keys there. One that an update has made larger than a message can
/// only be changed and visited where it is: a lookup from another PE throws atl::error (input).
template <class Key, class Value>
class global_hash_map : public container::global_hash_table<Key, Value> {
  using base = container::global_hash_table<Key, Value>;
  using verb = container::hash_verb;
  using typename base::given_key;
  using typename base::given_value;
  using typename base::shown_key;
  using typename base::shown_value;

 public:
  using entry = typename base::entry;

  global_hash_map() = default;

  /// One task makes it for all PEs.
  static task<global_hash_map> make(combining_options options = {}, site where = site::current()) {
    global_hash_map made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Awaitable: inserts where the key is not there, and returns true then, when all PEs see it.
  /// Throws atl::error (out_of_memory), of this operation alone.
  auto insert(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::insert}, where);
  }

  /// As `insert`, and the value of a key that is there becomes `value`.
  auto insert_or_assign(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::assign}, where);
  }

  /// Awaitable: the value of the key, as std::optional<Value>; empty where it is not there.
  auto lookup(given_key key, site where = site::current()) const {
    return this->template operation<true>({std::forward<given_key>(key), Value{}, verb::lookup},
                                          where);
  }

  /// Awaitable: runs `function(value)` on the owner, as a handler, where the key is there, and
  /// returns whether it is. The function is trivially copyable.
  template <class Function>
  auto update(shown_key key, Function function, site where = site::current()) const {
    return this->template do_at_owner<container::no_value>(key, {}, updating(function), where);
  }

  /// As `update`; a key that is not there is inserted with `first` instead, and true returned.
  template <class Function>
  auto insert_or_update(shown_key key, shown_value first, Function function,
                        site where = site::current()) const {
    return this->template do_at_owner<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Inserts without waiting, where the key is not there. Counted by the enclosing scope: seen by
  /// all when that ends, which gets the error where memory runs out. Of tasks and handlers, in no
  /// order among each other.
  void async_insert(shown_key key, shown_value value, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, const auto& given) {
      table.insert(of, given);
    };
    this->template async_do<Value>(key, value, insert_at, where);
  }

  /// As `update`, without waiting, as `async_insert`.
  template <class Function>
  void async_update(shown_key key, Function function, site where = site::current()) const {
    this->template async_do<container::no_value>(key, {}, updating(function), where);
  }

  /// As `insert_or_update`, without waiting, as `async_insert`.
  template <class Function>
  void async_insert_or_update(shown_key key, shown_value first, Function function,
                              site where = site::current()) const {
    this->template async_do<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Calls `visit(key, value)` for the keys that this PE holds, in no order; it may change the
  /// value. Between phases.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each(visit);
  }

  /// A copy of all keys and values, those of PE 0 first. One task; between phases. Not of strings.
  task<global_array<entry>> snapshot(site where = site::current()) const {
    return this->template copy<entry>(
        [](const Key& key, const Value& value) { return entry{key, value}; }, where);
  }

 private:
  // What runs on the owner; the key, and what a value is made of, may be views.
  template <class Function>
  static auto updating(Function function) {
    return [function](auto& table, const auto& key, container::no_value) {
      Value* const found = table.find(key);
      if (found != nullptr) function(*found);
      return found != nullptr;
    };
  }
  template <class Function>
  static auto inserting_or_updating(Function function) {
    return [function](auto& table, const auto& key, const auto& first) {
      const auto [value, is_new] = table.insert(key, first);
      if (!is_new) function(*value);
      return is_new;
    };
  }
};

/// A set of keys of all PEs; its operations are linearizable. The handle is a small trivially
/// copyable value: capture it, send it. It grows by itself as long as there is memory.
///
/// Modes (combining_options): with `local` and `both` the operations of a PE gather in batches, in
/// which equal lookups, inserts and erasures of a key travel once; with `none` and `central` each
/// travels alone. Every PE is the master of its keys, and does what comes for them at once.
///
/// Keys are trivially copyable, std::string, or of a type of your own that says how it travels
/// (`travel`). Strings may be given as std::string_view or literals, too. One that is larger than a
/// message takes (--buffer-size) is refused where it is given: atl::error (input). The memory limit
/// counts the table, but not what strings hold beside it.
template <class Key>
class global_hash_set : public container::global_hash_table<Key, container::no_value> {
  using base = container::global_hash_table<Key, container::no_value>;
  using typename base::given_key;
  using typename base::shown_key;

 public:
  global_hash_set() = default;

  /// One task makes it for all PEs.
  static task<global_hash_set> make(combining_options options = {}, site where = site::current()) {
    global_hash_set made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Awaitable: inserts, and returns true where the key was not there, when all PEs see it. Throws
  /// atl::error (out_of_memory), of this operation alone.
  auto insert(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::insert}, where);
  }

  /// Awaitable: true where the key is there.
  auto contains(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::lookup}, where);
  }

  /// Inserts without waiting. Counted by the enclosing scope: seen by all when that ends, which
  /// gets the error where memory runs out. Of tasks and handlers, in no order among each other.
  void async_insert(shown_key key, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, container::no_value none) {
      table.insert(of, none);
    };
    this->template async_do<container::no_value>(key, {}, insert_at, where);
  }

  /// Calls `visit(key)` for the keys that this PE holds, in no order. Between phases.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each([&](const Key& key, container::no_value) { visit(key); });
  }

  /// A copy of all keys, those of PE 0 first. One task; between phases. Not of strings.
  task<global_array<Key>> snapshot(site where = site::current()) const {
    return this->template copy<Key>([](const Key& key, container::no_value) { return key; }, where);
  }
};

}  // namespace atl
