#pragma once

#include "atoll/container/global_hash_table.hpp"

namespace atl {

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
