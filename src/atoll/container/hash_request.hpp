#pragma once
// What a task wants of a hash table of all PEs, and what it is told.

#include "atoll/base/bits.hpp"
#include "atoll/combine/gate.hpp"

#include <algorithm>
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

// What is said of requests on a hash table between the PE that asks and the one that holds the key.

/// What has become of a request. From `failed` on: nothing, for that reason.
enum class hash_outcome : std::uint8_t {
  no,
  yes,
  failed,   ///< for want of memory
  too_long  ///< the value that was looked up is larger than a message
};

inline bool has_failed(hash_outcome outcome) { return outcome >= hash_outcome::failed; }

/// What a request fails with that had this outcome.
[[nodiscard]] std::exception_ptr failure_of(hash_outcome outcome);

/// A request that was done, and its answer.
template <class Value>
struct hash_done {
  hash_verb verb;
  hash_outcome outcome;
  [[no_unique_address]] Value value;
};

/// Whether the asker wants the value.
template <class Value>
bool tells_value(const hash_done<Value>& done) {
  return done.verb == hash_verb::lookup && done.outcome == hash_outcome::yes;
}

/// Where the answers of requests that wait together go: arrays, and the gate that counts them. Lies
/// in the frame of who waits.
struct hash_returns {
  hash_outcome* outcomes;
  void* values;
  combine::gate* gate;
};

/// A place in them, for the PE that asked: as small as can be, for it travels there and back.
struct [[gnu::packed, gnu::aligned(4)]] hash_return_address {
  std::uint64_t returns_word;
  std::uint32_t first;

  hash_outcome* outcomes() const { return returns().outcomes + first; }
  template <class Value>
  Value* values() const {
    return static_cast<Value*>(returns().values) + first;
  }
  void answered(std::uint32_t requests) const { returns().gate->answered(requests); }

 private:
  const hash_returns& returns() const {
    return *reinterpret_cast<const hash_returns*>(returns_word);
  }
};

/// There was no memory to answer with.
struct hash_refusal {
  hash_return_address to;
  std::uint32_t count;

  void operator()() const noexcept {
    std::fill_n(to.outcomes(), count, hash_outcome::failed);
    to.answered(count);
  }
};

}  // namespace atl::container
