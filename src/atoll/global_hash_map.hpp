#pragma once
// A hash map and a hash set that are distributed over all PEs. The hash of a key decides which PE
// owns the key. Operations are linearizable (docs/explanation/memory-model.md).

#include "atoll/container/global_hash_table.hpp"

namespace atl {

/// A map from keys to values, distributed over all PEs. The rules of global_hash_set hold for this
/// class too. Values obey the rules for keys, and must be default constructible.
///
/// An update may make a value larger than one message. A value that is larger than one message can
/// be changed and visited only on its owner. A lookup from another PE throws atl::error (input).
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

  /// Makes an empty map over all PEs. One task calls this function and waits.
  static task<global_hash_map> make(combining_options options = {}, site where = site::current()) {
    global_hash_map made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Inserts the key with `value` if the map does not have the key. Returns whether the key was
  /// inserted. The calling task awaits the result, and is suspended until all PEs see the
  /// insertion. Throws atl::error (out_of_memory) if this operation finds no memory.
  auto insert(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::insert}, where);
  }

  /// Inserts the key with `value`, or replaces the value if the map has the key. Returns whether
  /// the key was new. The calling task awaits the result, and is suspended until all PEs see the
  /// change. Throws atl::error (out_of_memory) if this operation finds no memory.
  auto insert_or_assign(given_key key, given_value value, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), std::forward<given_value>(value), verb::assign}, where);
  }

  /// Returns the value of the key as std::optional<Value>. The optional is empty if the map does
  /// not have the key. The calling task awaits the result, and is suspended until the value has
  /// arrived.
  auto lookup(given_key key, site where = site::current()) const {
    return this->template operation<true>({std::forward<given_key>(key), Value{}, verb::lookup},
                                          where);
  }

  /// Runs `function(value)` on the owner of the key, as a handler, if the map has the key. Returns
  /// whether the map has the key. `function` must be trivially copyable. The calling task awaits
  /// the result, and is suspended until the function has run.
  template <class Function>
  auto update(shown_key key, Function function, site where = site::current()) const {
    return this->template do_at_owner<container::no_value>(key, {}, updating(function), where);
  }

  /// Runs `function(value)` on the owner of the key, as a handler, if the map has the key. If the
  /// map does not have the key, inserts the key with the value `first` and does not call
  /// `function`. Returns whether the key was new. The calling task awaits the result, and is
  /// suspended until the operation is done. Throws atl::error (out_of_memory).
  template <class Function>
  auto insert_or_update(shown_key key, shown_value first, Function function,
                        site where = site::current()) const {
    return this->template do_at_owner<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Starts to insert the key with `value` if the map does not have the key, and returns at once.
  /// All PEs see the insertion when the enclosing scope ends. If memory runs out, the scope gets
  /// atl::error (out_of_memory). Tasks and handlers may call this function. Two calls may take
  /// effect in either order.
  void async_insert(shown_key key, shown_value value, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, const auto& given) {
      table.insert(of, given);
    };
    this->template async_do<Value>(key, value, insert_at, where);
  }

  /// Starts to run `function(value)` on the owner of the key, if the map has the key, and returns
  /// at once. The enclosing scope waits for the call. Tasks and handlers may call this function.
  /// Two calls may take effect in either order.
  template <class Function>
  void async_update(shown_key key, Function function, site where = site::current()) const {
    this->template async_do<container::no_value>(key, {}, updating(function), where);
  }

  /// Starts an `insert_or_update` and returns at once. If the map has the key, `function(value)`
  /// runs on its owner; otherwise the key is inserted with the value `first`. The enclosing scope
  /// waits for the call. If memory runs out, the scope gets atl::error (out_of_memory). Tasks and
  /// handlers may call this function. Two calls may take effect in either order.
  template <class Function>
  void async_insert_or_update(shown_key key, shown_value first, Function function,
                              site where = site::current()) const {
    this->template async_do<Value>(key, first, inserting_or_updating(function), where);
  }

  /// Calls `visit(key, value)` for each key that this PE owns, in no particular order. `visit` may
  /// change the value. Does not communicate. No operation on the map may be in progress meanwhile.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each(visit);
  }

  /// Returns a global array with a copy of all keys and values, those of PE 0 first. One task calls
  /// this function and waits, while no operation on the map is in progress. Keys and values must be
  /// trivially copyable.
  task<global_array<entry>> snapshot(site where = site::current()) const {
    return this->template copy<entry>(
        [](const Key& key, const Value& value) { return entry{key, value}; }, where);
  }

 private:
  // The functions below make function objects that run on the owner of a key. The key, and the
  // argument from which a value is made, may be views such as std::string_view.
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

/// A set of keys, distributed over all PEs. Operations are linearizable. The set object is a small
/// trivially copyable handle, which can be captured and sent. The set grows automatically until
/// memory is exhausted.
///
/// combining_options choose how operations are sent. With `local` and `both`, a PE collects its
/// operations in batches. Equal lookups, inserts and erasures of one key in a batch are sent once.
/// With `none` and `central`, each operation is sent alone. Every PE executes operations on its own
/// keys at once.
///
/// Keys are trivially copyable, std::string, or of a type that specialises `serialization` to
/// describe how it is sent. If keys are strings, arguments may also be std::string_view objects or
/// literals. If a key is larger than one message (--buffer-size), the call throws atl::error
/// (input). The memory limit counts the table, but not the heap memory of strings.
template <class Key>
class global_hash_set : public container::global_hash_table<Key, container::no_value> {
  using base = container::global_hash_table<Key, container::no_value>;
  using typename base::given_key;
  using typename base::shown_key;

 public:
  global_hash_set() = default;

  /// Makes an empty set over all PEs. One task calls this function and waits.
  static task<global_hash_set> make(combining_options options = {}, site where = site::current()) {
    global_hash_set made;
    co_await made.open(options, where);
    co_return made;
  }

  /// Inserts the key. Returns whether the key was new. The calling task awaits the result, and is
  /// suspended until all PEs see the insertion. Throws atl::error (out_of_memory) if this operation
  /// finds no memory.
  auto insert(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::insert}, where);
  }

  /// Returns whether the set has the key. The calling task awaits the result, and is suspended
  /// until the answer has arrived.
  auto contains(given_key key, site where = site::current()) const {
    return this->template operation<false>(
        {std::forward<given_key>(key), {}, container::hash_verb::lookup}, where);
  }

  /// Starts to insert the key and returns at once. All PEs see the insertion when the enclosing
  /// scope ends. If memory runs out, the scope gets atl::error (out_of_memory). Tasks and handlers
  /// may call this function. Two calls may take effect in either order.
  void async_insert(shown_key key, site where = site::current()) const {
    const auto insert_at = [](auto& table, const auto& of, container::no_value none) {
      table.insert(of, none);
    };
    this->template async_do<container::no_value>(key, {}, insert_at, where);
  }

  /// Calls `visit(key)` for each key that this PE owns, in no particular order. Does not
  /// communicate. No operation on the set may be in progress meanwhile.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    this->own().for_each([&](const Key& key, container::no_value) { visit(key); });
  }

  /// Returns a global array with a copy of all keys, those of PE 0 first. One task calls this
  /// function and waits, while no operation on the set is in progress. Keys must be trivially
  /// copyable.
  task<global_array<Key>> snapshot(site where = site::current()) const {
    return this->template copy<Key>([](const Key& key, container::no_value) { return key; }, where);
  }
};

}  // namespace atl
