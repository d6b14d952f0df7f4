#pragma once
// Hash map and hash set over all PEs: the hash of a key decides which PE holds it. Operations are
// linearizable (docs/explanation/memory-model.md).

#include "atoll/container/global_hash_table.hpp"

namespace atl {

/// A map from keys to values over all PEs. The rules of global_hash_set hold for it, also those of
/// keys for values, which are made by `Value()`. An update may make a value larger than one
/// message. Such a value can only be changed and visited on its owner: a lookup from another PE
/// throws atl::error (input).
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

  /// Makes an empty map for all PEs. One task calls it and waits.
  static task<global_hash_map> make(combining_options options = {}, site where = site::current()) {
    global_hash_map made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Inserts the key with `value` if the key is not there, and returns whether it was inserted.
  /// Awaited by a task, which is suspended until all PEs see the result. Throws atl::error
  /// (out_of_memory), for this operation only.
  auto insert(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::insert}, where);
  }

  /// Inserts the key with `value`, or replaces the value of a key that is there. Returns true if
  /// the key was new. Awaited by a task, which is suspended until all PEs see the result. Throws
  /// atl::error (out_of_memory), for this operation only.
  auto insert_or_assign(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::assign}, where);
  }

  /// Returns the value of the key as std::optional<Value>, which is empty if the key is not there.
  /// Awaited by a task, which is suspended until the value has arrived.
  auto lookup(given_key key, site where = site::current()) const {
    return this->template operation<true>({std::forward<given_key>(key), Value{}, verb::lookup},
                                          where);
  }

  /// Runs `function(value)` on the owner of the key, as a handler, if the key is there. Returns
  /// whether it is there. `function` is trivially copyable. Awaited by a task, which is suspended
  /// until it has run.
  template <class Function>
  auto update(shown_key key, Function function, site where = site::current()) const {
    return this->template do_at_owner<container::no_value>(key, {}, updating(function), where);
  }

  /// Runs `function(value)` on the owner of the key, as a handler, if the key is there. Otherwise
  /// inserts the key with `first`, without calling `function`. Returns true if the key was new.
  /// Awaited by a task, which is suspended until this is done. Throws atl::error (out_of_memory).
  template <class Function>
  auto insert_or_update(shown_key key, shown_value first, Function function,
                        site where = site::current()) const {
    return this->template do_at_owner<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Starts to insert the key with `value` if the key is not there, and returns at once. All PEs
  /// see the result when the enclosing scope ends, which gets atl::error (out_of_memory) if memory
  /// runs out. Tasks and handlers may call it. Such calls are not ordered among each other.
  void async_insert(shown_key key, shown_value value, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, const auto& given) {
      table.insert(of, given);
    };
    this->template async_do<Value>(key, value, insert_at, where);
  }

  /// Starts to run `function(value)` on the owner of the key, if the key is there, and returns at
  /// once. The enclosing scope counts the call. Tasks and handlers may call it. Such calls are not
  /// ordered among each other.
  template <class Function>
  void async_update(shown_key key, Function function, site where = site::current()) const {
    this->template async_do<container::no_value>(key, {}, updating(function), where);
  }

  /// Starts `insert_or_update` and returns at once: runs `function(value)` if the key is there,
  /// otherwise inserts it with `first`. The enclosing scope counts the call, and gets atl::error
  /// (out_of_memory) if memory runs out. Tasks and handlers may call it. Such calls are not ordered
  /// among each other.
  template <class Function>
  void async_insert_or_update(shown_key key, shown_value first, Function function,
                              site where = site::current()) const {
    this->template async_do<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Calls `visit(key, value)` for each key that this PE holds, in no particular order; `visit` may
  /// change the value. Does not communicate. No operation may be in progress meanwhile.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each(visit);
  }

  /// Returns a global array with a copy of all keys and values, those of PE 0 first. One task calls
  /// it and waits, while no operation is in progress. Keys and values must be trivially copyable.
  task<global_array<entry>> snapshot(site where = site::current()) const {
    return this->template copy<entry>(
        [](const Key& key, const Value& value) { return entry{key, value}; }, where);
  }

 private:
  // Functions that run on the owner. The key, and the argument from which a value is made, may be
  // views.
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

/// A set of keys over all PEs, with linearizable operations. The handle is a small trivially
/// copyable value to capture and send. The set grows by itself as long as there is memory.
///
/// Modes (combining_options): with `local` and `both`, the operations of a PE gather in batches.
/// Equal lookups, inserts and erasures of a key in one batch are sent once. With `none` and
/// `central`, each operation is sent alone. Every PE is the master of its own keys and executes
/// operations on them at once.
///
/// Keys are trivially copyable, std::string, or of a type that specialises `travel`. Strings may be
/// given as std::string_view or literals, too. A key larger than one message (--buffer-size) is
/// refused by the call: atl::error (input). The memory limit counts the table, but not the heap
/// memory of strings.
template <class Key>
class global_hash_set : public container::global_hash_table<Key, container::no_value> {
  using base = container::global_hash_table<Key, container::no_value>;
  using typename base::given_key;
  using typename base::shown_key;

 public:
  global_hash_set() = default;

  /// Makes an empty set for all PEs. One task calls it and waits.
  static task<global_hash_set> make(combining_options options = {}, site where = site::current()) {
    global_hash_set made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Inserts the key, and returns true if it was new. Awaited by a task, which is suspended until
  /// all PEs see the result. Throws atl::error (out_of_memory), for this operation only.
  auto insert(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::insert}, where);
  }

  /// Returns whether the key is there. Awaited by a task, which is suspended until the answer has
  /// arrived.
  auto contains(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::lookup}, where);
  }

  /// Starts to insert the key and returns at once. All PEs see the result when the enclosing scope
  /// ends, which gets atl::error (out_of_memory) if memory runs out. Tasks and handlers may call
  /// it. Such calls are not ordered among each other.
  void async_insert(shown_key key, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, container::no_value none) {
      table.insert(of, none);
    };
    this->template async_do<container::no_value>(key, {}, insert_at, where);
  }

  /// Calls `visit(key)` for each key that this PE holds, in no particular order. Does not
  /// communicate. No operation may be in progress meanwhile.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each([&](const Key& key, container::no_value) { visit(key); });
  }

  /// Returns a global array with a copy of all keys, those of PE 0 first. One task calls it and
  /// waits, while no operation is in progress. Keys must be trivially copyable.
  task<global_array<Key>> snapshot(site where = site::current()) const {
    return this->template copy<Key>([](const Key& key, container::no_value) { return key; }, where);
  }
};

}  // namespace atl
