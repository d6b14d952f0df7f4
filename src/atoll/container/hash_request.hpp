#pragma once
// Requests of tasks to a global hash table, and their answers.

#include "atoll/base/bits.hpp"
#include "atoll/combine/gate.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace atl::container {

/// The type of the values in a set, which has only keys.
struct no_value {
  friend bool operator==(no_value, no_value) = default;
};

enum class hash_verb : std::uint8_t {
  lookup,
  insert,  ///< stores the value only if the key is absent
  assign,  ///< stores the value in any case
  erase
};

/// Returns true if requests with `verb` carry a value.
inline bool stores(hash_verb verb) {
  return verb == hash_verb::insert || verb == hash_verb::assign;
}

template <class Key, class Value>
struct hash_request {
  Key key;
  [[no_unique_address]] Value value;  ///< value to store; only for inserts and assignments
  hash_verb verb;
};

/// The form of a request that waits in a batch. A request that owns memory stays in the frame of
/// its task, and the batch refers to it.
template <class Key, class Value>
using hash_gathered = std::conditional_t<std::is_trivially_copyable_v<hash_request<Key, Value>>,
                                         hash_request<Key, Value>,
                                         std::reference_wrapper<const hash_request<Key, Value>>>;

template <class Value>
struct hash_answer {
  [[no_unique_address]] Value value{};  ///< value that was found; only for lookups
  /// For lookups and erasures: the key was present; for inserts and assignments: the key was
  /// absent.
  bool yes = false;
};

/// Returns the PE that holds a key with the hash `hash`. The highest bits decide. The lowest 48
/// bits determine the place in the table of that PE.
inline int owner_of_hash(std::uint64_t hash, int pes) {
  return static_cast<int>(multiply_high(hash, static_cast<std::uint64_t>(pes)));
}

// Messages between the PE that asks and the PE that holds a key.

/// The outcome of a request. Outcomes from `failed` on mean that nothing was done, and tell the
/// reason.
enum class hash_outcome : std::uint8_t {
  no,
  yes,
  failed,   ///< memory is too short
  too_long  ///< the value that was found is larger than a message
};

inline bool has_failed(hash_outcome outcome) { return outcome >= hash_outcome::failed; }

/// Returns the exception for a request with this outcome.
[[nodiscard]] std::exception_ptr failure_of(hash_outcome outcome);

/// A request that was executed, with its answer.
template <class Value>
struct hash_done {
  hash_verb verb;
  hash_outcome outcome;
  [[no_unique_address]] Value value;
};

/// Returns true if the answer contains a value.
template <class Value>
bool tells_value(const hash_done<Value>& done) {
  return done.verb == hash_verb::lookup && done.outcome == hash_outcome::yes;
}

/// The addresses for the answers to requests that are sent together: arrays, and the gate that
/// counts the answers. The object is in the frame of the waiting task.
struct hash_returns {
  hash_outcome* outcomes;
  void* values;
  combine::gate* gate;
};

/// An index in a `hash_returns` of the asking PE. The type has no padding, because messages carry
/// it in both directions.
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

/// An answer that fails `count` requests, because memory was too short for their answers.
struct hash_refusal {
  hash_return_address to;
  std::uint32_t count;

  void operator()() const noexcept {
    std::fill_n(to.outcomes(), count, hash_outcome::failed);
    to.answered(count);
  }
};

}  // namespace atl::container
