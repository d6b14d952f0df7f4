#pragma once
// This file has the requests that tasks make on a global hash table, and the answers to the
// requests.

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

/// Returns true if requests with the verb `verb` contain a value.
inline bool stores(hash_verb verb) {
  return verb == hash_verb::insert || verb == hash_verb::assign;
}

template <class Key, class Value>
struct hash_request {
  Key key;
  [[no_unique_address]] Value value;  ///< value to store; only for inserts and assignments
  hash_verb verb;
};

/// The type of a request in a batch. A trivially copyable request is copied into the batch. A
/// request that is not trivially copyable stays in the frame of its task, and the batch has a
/// reference to the request.
template <class Key, class Value>
using hash_gathered = std::conditional_t<std::is_trivially_copyable_v<hash_request<Key, Value>>,
                                         hash_request<Key, Value>,
                                         std::reference_wrapper<const hash_request<Key, Value>>>;

template <class Value>
struct hash_answer {
  /// the value that a lookup has found; unused by other requests
  [[no_unique_address]] Value value{};
  /// For lookups and erasures, true if the key was present; for inserts and assignments, true if
  /// the key was absent.
  bool yes = false;
};

/// Returns the PE that holds keys with the hash `hash`. The highest bits of the hash determine the
/// PE. The lowest 48 bits of the hash determine the key's place in the table of the PE that holds
/// the key.
inline int owner_of_hash(std::uint64_t hash, int pes) {
  return static_cast<int>(multiply_high(hash, static_cast<std::uint64_t>(pes)));
}

// The next types are used in messages between the PE that makes a request and the PE that holds the
// key.

/// The outcome of a request. The outcome `no` means that `hash_answer::yes` is false, and the
/// outcome `yes` means true. `failed` and `too_long` are the reasons why a request fails.
enum class hash_outcome : std::uint8_t {
  no,
  yes,
  failed,   ///< a PE had no memory for the request or its answer
  too_long  ///< the value that a lookup has found does not fit into a message
};

inline bool has_failed(hash_outcome outcome) { return outcome >= hash_outcome::failed; }

/// Returns the exception that a task gets for a request with the failed outcome `outcome`.
[[nodiscard]] std::exception_ptr failure_of(hash_outcome outcome);

/// The answer to a request, with the verb of the request.
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

/// The memory for the answers to a batch: an array of outcomes, an array of values, and the gate
/// that counts the answers. The object is in the frame of the waiting task.
struct hash_returns {
  hash_outcome* outcomes;
  void* values;
  combine::gate* gate;
};

/// The address for the answers to one message: the address of a `hash_returns` object on the asking
/// PE, and an index in its arrays. The type has no padding, because each message with requests and
/// each message with answers contains a `hash_return_address`.
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

/// A message that answers `count` requests with a failure, because the receiver of the requests had
/// no memory for the answers.
struct hash_refusal {
  hash_return_address to;
  std::uint32_t count;

  void operator()() const noexcept {
    std::fill_n(to.outcomes(), count, hash_outcome::failed);
    to.answered(count);
  }
};

}  // namespace atl::container
