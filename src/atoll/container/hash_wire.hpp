#pragma once
// What is said of requests on a hash table between the PE that asks and the one that holds the key.

#include "atoll/combine/gate.hpp"
#include "atoll/container/hash_request.hpp"

#include <algorithm>
#include <cstdint>

namespace atl::container {

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
