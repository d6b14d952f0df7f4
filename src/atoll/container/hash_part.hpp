#pragma once
// The part of a hash table that one PE holds.

#include "atoll/container/hash_request.hpp"
#include "atoll/local_hash_map.hpp"
#include "atoll/work.hpp"

namespace atl::container {

template <class Key, class Value>
struct hash_part {
  using answer = hash_answer<Value>;

  local_hash_map<Key, Value> table;
  std::uint64_t sent = 0;  ///< operations of this PE that have gone to others

  /// Does what is asked for a key of this PE; key and value may be views of a payload. Throws as
  /// `table.insert`.
  template <class Request>
  answer apply(const Request& wanted) {
    charge(work::line_touched, 1);
    switch (wanted.verb) {
    case hash_verb::assign:
      return {{}, table.insert_or_assign(wanted.key, wanted.value)};
    case hash_verb::erase:
      return {{}, table.erase(wanted.key)};
    default:
      return look_or_insert(wanted);
    }
  }

  /// Most accesses miss the caches of a core.
  bool is_large() const { return table.bytes() > (std::size_t{1} << 20); }

 private:
  /// Which of both comes next is chance; whether the key is there can often be foreseen, so that is
  /// the first branch.
  template <class Request>
  answer look_or_insert(const Request& wanted) {
    const bool looks = wanted.verb == hash_verb::lookup;
    if (const Value* const found = table.find(wanted.key)) {
      if constexpr (k_is_small) return {*found, looks};
      return looks ? answer{*found, true} : answer{};
    }
    if (!looks) table.insert_new(wanted.key, wanted.value);
    return {{}, !looks};
  }

  // Copied in vain at less than the price of a branch.
  static constexpr bool k_is_small = std::is_trivially_copyable_v<Value> && sizeof(Value) <= 16;
};

/// The PE that holds a key.
template <class Key>
int owner_of(const Key& key) {
  return owner_of_hash(key_hash<Key>()(key), pes());
}

}  // namespace atl::container
