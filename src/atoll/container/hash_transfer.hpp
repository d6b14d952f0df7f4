#pragma once
// This file has the part of a global hash table that one PE holds, and the messages with requests
// to the PE.

#include "atoll/collectives.hpp"
#include "atoll/container/hash_form.hpp"
#include "atoll/container/hash_request.hpp"
#include "atoll/local_hash_map.hpp"
#include "atoll/work.hpp"

#include <optional>
#include <utility>

namespace atl::container {

// The next class is the part of a global hash table on one PE.

template <class Key, class Value>
struct hash_part {
  using answer = hash_answer<Value>;

  local_hash_map<Key, Value> table;
  std::uint64_t sent = 0;  ///< operations that this PE has sent to other PEs

  /// Executes the request `wanted`, whose key belongs to this PE, and returns the answer. Key and
  /// value may be views of a payload. Throws the errors of `table.insert`.
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

  /// Returns true if the table is so large that most accesses miss the caches of a core.
  bool is_large() const { return table.bytes() > (std::size_t{1} << 20); }

 private:
  /// Executes a lookup or an insert. The code branches on the presence of the key and not on the
  /// verb. A processor can often predict whether a key is present, but cannot predict whether a
  /// request is a lookup or an insert.
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

  // True if values are small. A small value is copied into the answer even if the answer needs no
  // value, because the copy costs less than a branch.
  static constexpr bool k_is_small = std::is_trivially_copyable_v<Value> && sizeof(Value) <= 16;
};

/// Returns the PE that holds `key`.
template <class Key>
int owner_of(const Key& key) {
  return owner_of_hash(key_hash<Key>()(key), pes());
}

// The next types are messages with one or many requests to the PE that holds their keys, and
// messages with the answers.

template <class Key, class Value>
inline constexpr bool k_is_plain =
    message::bitwise_copyable<Key> && message::bitwise_copyable<Value>;

/// The payload layout of requests and answers for the types `Key` and `Value` (hash_form.hpp).
template <class Key, class Value>
using hash_form = std::conditional_t<k_is_plain<Key, Value>, hash_plain_form<Key, Value>,
                                     hash_packed_form<Key, Value>>;

/// Executes the request that `next()` returns, and returns its answer. If memory is too short for
/// the request, the answer is a failure.
template <class Key, class Value, class Next>
hash_done<Value> answer_or_fail(hash_part<Key, Value>& own, const Next& next) {
  try {
    const auto& wanted = next();
    auto found = own.apply(wanted);
    const auto outcome = found.yes ? hash_outcome::yes : hash_outcome::no;
    return {wanted.verb, outcome, std::move(found.value)};
  } catch (...) {
    return {hash_verb::insert, hash_outcome::failed, {}};
  }
}

/// A message whose payload is requests. The receiver executes the requests in order. The receiver
/// prefetches the memory of later keys, so that cache misses overlap.
template <class Key, class Value>
struct hash_questions {
  using part = hash_part<Key, Value>;
  using form = hash_form<Key, Value>;

  per_pe<part> parts;
  hash_return_address to;
  std::uint32_t count : 30;
  std::uint32_t at_once : 1;  ///< 1 if the receiver flushes its answers at once; 0 otherwise
  std::uint32_t has_values : 1;

  static hash_questions of(per_pe<part> parts, const hash_return_address& to, std::size_t count,
                           std::span<const std::byte> payload, bool at_once) {
    hash_questions made{parts, to, static_cast<std::uint32_t>(count), at_once, false};
    if constexpr (k_is_plain<Key, Value>)
      made.has_values = payload.size() > form::bytes_of(count, false);
    return made;
  }

  std::size_t payload_bytes() const
    requires k_is_plain<Key, Value>
  {
    return form::bytes_of(count, has_values);
  }

  void operator()(std::span<const std::byte> payload) const {
    std::optional<typename form::answers> results;
    try {
      results.emplace(to, count);
    } catch (const std::bad_alloc&) {
      auto& messages = *this_pe().messages;
      messages.send<message::traffic::owed>(messages.source(), hash_refusal{to, count},
                                            site::current());
      return;
    }
    answer_all({payload, count}, *results);
    results->send();
    if (at_once) this_pe().messages->flush(this_pe().messages->source());
  }

  static std::size_t payload_capacity() {
    return this_pe().messages->payload_capacity<hash_questions>();
  }

 private:
  static constexpr std::uint32_t k_ahead = 16;

  void answer_all(typename form::arrived asked, typename form::answers& results) const {
    part& own = parts.local();
    auto ahead = asked;
    for (std::uint32_t i = 0; i < std::min(k_ahead, count); ++i) ahead.prefetch_next(own.table);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + k_ahead < count) ahead.prefetch_next(own.table);
      results.add(answer_or_fail(own, [&] { return asked.next(); }));
    }
  }
};

struct no_returns {};

/// The part of a waiting operation's state that the answer changes.
template <class Key, class Value>
struct hash_awaited {
  combine::gate gate;
  hash_answer<Value> answer{};
  hash_outcome outcome = hash_outcome::no;
  /// The memory for the answer, if the request is sent as a batch of one request.
  [[no_unique_address]] std::conditional_t<k_is_plain<Key, Value>, no_returns, hash_returns>
      returns{};
};

/// A message with the answer to a single request.
template <class Key, class Value>
struct hash_lone_answer {
  std::uint64_t awaited_word;
  [[no_unique_address]] Value value;
  hash_outcome outcome;

  void operator()() const noexcept {
    auto& awaited = *reinterpret_cast<hash_awaited<Key, Value>*>(awaited_word);
    awaited.answer.value = value;
    awaited.outcome = outcome;
    awaited.gate.one_answered();
  }
};

/// A message with a single request. The receiver prefetches memory for consecutive messages of this
/// kind, so that their cache misses overlap.
template <class Key, class Value>
struct hash_lone_question {
  per_pe<hash_part<Key, Value>> parts;
  std::uint64_t awaited_word;
  hash_request<Key, Value> wanted;

  void operator()() const {
    auto& messages = *this_pe().messages;
    const auto done = answer_or_fail(parts.local(), [&]() -> const auto& { return wanted; });
    messages.send<message::traffic::owed>(
        messages.source(), hash_lone_answer<Key, Value>{awaited_word, done.value, done.outcome},
        site::current());
  }
  [[gnu::always_inline]] void prefetch() const { parts->table.prefetch(wanted.key); }
};

/// Sends a single request. Throws atl::error (overflow) and std::bad_alloc.
template <class Key, class Value>
[[gnu::always_inline]] inline void ask_alone(int owner, per_pe<hash_part<Key, Value>> parts,
                                             const hash_request<Key, Value>& wanted,
                                             hash_awaited<Key, Value>& awaited) {
  const auto word = [](auto* place) { return reinterpret_cast<std::uintptr_t>(place); };
  auto& messages = *this_pe().messages;
  ++parts->sent;
  if constexpr (k_is_plain<Key, Value>) {
    messages.send<message::traffic::untracked>(
        owner, hash_lone_question<Key, Value>{parts, word(&awaited), wanted}, awaited.gate.where);
  } else {
    using form = hash_form<Key, Value>;
    typename form::asked one(form::bytes_of(wanted), 1);
    const std::uint32_t numbers[] = {0};
    one.take(std::span(&wanted, 1), numbers);
    awaited.returns = {&awaited.outcome, &awaited.answer.value, &awaited.gate};
    messages.send_with<message::traffic::untracked>(
        owner,
        hash_questions<Key, Value>::of(parts, {word(&awaited.returns), 0}, 1, one.bytes(), false),
        one.bytes(), awaited.gate.where);
  }
}

[[noreturn]] void refuse_request(std::size_t bytes, std::size_t most, site where);

/// Throws atl::error (input) if the request does not fit into one message.
template <class Key, class Value>
void check_request([[maybe_unused]] const hash_request<Key, Value>& wanted,
                   [[maybe_unused]] site where) {
  if constexpr (!k_is_plain<Key, Value>) {
    using form = hash_form<Key, Value>;
    const std::size_t bytes = form::bytes_of(wanted);
    const std::size_t most = hash_questions<Key, Value>::payload_capacity();
    if (bytes > most) refuse_request(bytes, most, where);
  }
}

}  // namespace atl::container
