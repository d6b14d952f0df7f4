#pragma once
// What a task wants of a hash table of all PEs, and what it is told.

#include "atoll/base/bits.hpp"

#include <cstdint>
#include <functional>
#include <type_traits>

namespace atl::container {

/// The value that the keys of a set have.
struct no_value {
  friend bool operator==(no_value, no_value) = default;
};

enum class hash_verb : std::uint8_t {
  lookup,
  insert,  ///< where the key is not there
  assign,  ///< also where it is there
  erase
};

/// Whether the request has a value.
inline bool stores(hash_verb verb) {
  return verb == hash_verb::insert || verb == hash_verb::assign;
}

template <class Key, class Value>
struct hash_request {
  Key key;
  [[no_unique_address]] Value value;  ///< of inserts and assignments
  hash_verb verb;
};

/// How a request waits in a batch: what owns memory stays where it is, in the frame of its task.
template <class Key, class Value>
using hash_gathered = std::conditional_t<std::is_trivially_copyable_v<hash_request<Key, Value>>,
                                         hash_request<Key, Value>,
                                         std::reference_wrapper<const hash_request<Key, Value>>>;

template <class Value>
struct hash_answer {
  [[no_unique_address]] Value value{};  ///< of lookups
  bool yes = false;  ///< lookups, erasures: the key was there; inserts, assignments: it was not
};

/// The PE that holds a key. By the highest bits of the hash; the place in the table of that PE is
/// by the lowest 48.
inline int owner_of_hash(std::uint64_t hash, int pes) {
  return static_cast<int>(multiply_high(hash, static_cast<std::uint64_t>(pes)));
}

}  // namespace atl::container
