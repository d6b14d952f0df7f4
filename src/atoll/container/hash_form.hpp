#pragma once
// This file has the payload layouts of two kinds of messages: requests on a global hash table, and
// answers to the requests. Each payload layout has three classes: `asked` writes requests,
// `arrived` reads requests, and `answers` writes answers.

#include "atoll/base/pe.hpp"
#include "atoll/container/hash_request.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/message/packing.hpp"

#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace atl::container {

// The first payload layout is for trivially copyable keys and values. The payload consists of an
// array of verbs or outcomes, an array of keys (only for requests), and an array of values. The
// array of values is left out if no request or answer has a value.

/// A message with the answers to `count` requests. The payload is the array of outcomes, followed
/// by the array of values.
template <class Value>
struct hash_plain_answers {
  static constexpr std::size_t k_value_bytes = std::is_empty_v<Value> ? 0 : sizeof(Value);

  hash_return_address to;
  std::uint32_t count : 31;
  std::uint32_t has_values : 1;

  std::size_t payload_bytes() const { return count * (has_values ? 1 + k_value_bytes : 1); }

  void operator()(std::span<const std::byte> payload) const noexcept {
    std::memcpy(to.outcomes(), payload.data(), count);
    if (const auto values = payload.subspan(count); !values.empty())
      std::memcpy(static_cast<void*>(to.values<Value>()), values.data(), values.size());
    to.answered(count);
  }
};

template <class Key, class Value>
struct hash_plain_form {
  using request = hash_request<Key, Value>;

  static constexpr std::size_t k_value_bytes = hash_plain_answers<Value>::k_value_bytes;
  static constexpr std::size_t k_answer_bytes = 1 + k_value_bytes;
  static constexpr std::size_t k_request_bytes = 1 + sizeof(Key) + k_value_bytes;

  /// Returns the size in bytes of a payload of `count` requests.
  static std::size_t bytes_of(std::size_t count, bool with_values) {
    return count * (with_values ? k_request_bytes : 1 + sizeof(Key));
  }

  /// Collects the requests of one message on the sending PE.
  class asked {
   public:
    /// Allocates a buffer for payloads of at most `capacity` bytes and at most `requests` requests.
    /// Throws std::bad_alloc. No other function of `asked` throws.
    asked(std::size_t capacity, std::size_t requests)
        : most_(std::min({capacity / k_request_bytes, requests,
                          this_pe().messages->payload_capacity<hash_plain_answers<Value>>() /
                              k_answer_bytes})),
          bytes_(std::make_unique_for_overwrite<std::byte[]>(most_ * k_request_bytes)) {}

    /// Copies requests of `batch` into the buffer, in the order of `numbers`. Stops when the
    /// requests would fill one message, or when the answers to the requests would fill one message.
    /// Returns how many requests were copied.
    template <class Batch>
    std::size_t take(const Batch& batch, std::span<const std::uint32_t> numbers) {
      const std::size_t count = std::min(most_, numbers.size());
      std::byte* const verbs = bytes_.get();
      std::byte* const keys = verbs + count;
      std::byte* const values = keys + count * sizeof(Key);
      bool any_stores = false;
      for (std::size_t i = 0; i < count; ++i) {
        const request& wanted = batch[numbers[i]];
        verbs[i] = static_cast<std::byte>(wanted.verb);
        std::memcpy(keys + i * sizeof(Key), &wanted.key, sizeof(Key));
        std::memcpy(values + i * k_value_bytes, &wanted.value, k_value_bytes);
        any_stores |= stores(wanted.verb);
      }
      used_ = bytes_of(count, any_stores);
      return count;
    }

    std::span<const std::byte> bytes() const { return {bytes_.get(), used_}; }

   private:
    std::size_t most_;
    std::size_t used_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
  };

  /// Reads the requests of one message on the receiving PE.
  class arrived {
   public:
    arrived(std::span<const std::byte> payload, std::uint32_t count)
        : verb_(payload.data()),
          key_(verb_ + count),
          value_(key_ + count * sizeof(Key)),
          has_values_(payload.size() > bytes_of(count, false)) {}

    request next() {
      request one{};
      one.verb = static_cast<hash_verb>(*verb_++);
      std::memcpy(&one.key, std::exchange(key_, key_ + sizeof(Key)), sizeof(Key));
      if (has_values_)
        std::memcpy(&one.value, std::exchange(value_, value_ + k_value_bytes), k_value_bytes);
      return one;
    }

    template <class Table>
    [[gnu::always_inline]] void prefetch_next(const Table& table) {
      Key key;
      std::memcpy(&key, std::exchange(key_, key_ + sizeof(Key)), sizeof(Key));
      table.prefetch(key);
    }

   private:
    const std::byte* verb_;
    const std::byte* key_;
    const std::byte* value_;
    bool has_values_;
  };

  /// Collects the answers to one message.
  class answers {
   public:
    /// Throws std::bad_alloc.
    answers(const hash_return_address& to, std::uint32_t count)
        : to_(to),
          count_(count),
          results_(std::make_unique_for_overwrite<std::byte[]>(count * k_answer_bytes)) {}

    void add(const hash_done<Value>& done) {
      results_[added_] = static_cast<std::byte>(done.outcome);
      std::memcpy(&results_[count_ + added_ * k_value_bytes], &done.value, k_value_bytes);
      any_tells_ |= tells_value(done);
      ++added_;
    }

    /// Sends the answers to the PE that has sent the requests. Only the handler of the requests may
    /// call this function.
    void send() {
      auto& messages = *this_pe().messages;
      const hash_plain_answers<Value> answers{to_, count_, any_tells_};
      messages.send_with<message::traffic::owed>(
          messages.source(), answers, {results_.get(), answers.payload_bytes()}, site::current());
    }

   private:
    hash_return_address to_;
    std::uint32_t count_;
    std::uint32_t added_ = 0;
    bool any_tells_ = false;
    std::unique_ptr<std::byte[]> results_;
  };
};

// The second payload layout is for keys or values that own memory, such as strings. The class
// template `serialization` serialises the keys and values. The payload contains the requests or
// answers one after another.

/// This bit, set in the outcome byte of an answer, means that a value follows.
inline constexpr std::byte k_with_value{0x80};

inline bool has_value(hash_outcome outcome) {
  return (static_cast<std::byte>(outcome) & k_with_value) != std::byte{0};
}
inline hash_outcome without_value(hash_outcome outcome) {
  return static_cast<hash_outcome>(static_cast<std::byte>(outcome) & ~k_with_value);
}

/// A message with the answers to `count` requests. The payload has the outcome of each request. If
/// the answer to a request has a value, the value follows the outcome.
template <class Value>
struct hash_packed_answers {
  hash_return_address to;
  std::uint32_t count;

  void operator()(std::span<const std::byte> payload) const noexcept {
    message::unpacker from(payload);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto outcome = from.next<hash_outcome>();
      to.outcomes()[i] = without_value(outcome);
      if (has_value(outcome)) read_value(from.next_bytes<Value>(), i);
    }
    to.answered(count);
  }

 private:
  void read_value(std::span<const std::byte> bytes, std::uint32_t number) const noexcept {
    try {
      to.values<Value>()[number] = serialization<Value>::read(bytes);
    } catch (...) {
      to.outcomes()[number] = hash_outcome::failed;
    }
  }
};

template <class Key, class Value>
struct hash_packed_form {
  using request = hash_request<Key, Value>;

  /// Returns the size in bytes of a serialised request.
  static std::size_t bytes_of(const request& wanted) {
    return sizeof(hash_verb) + message::packed_bytes<Key>(wanted.key) +
           (stores(wanted.verb) ? message::packed_bytes<Value>(wanted.value) : 0);
  }

  /// Collects the serialised requests of one message on the sending PE.
  class asked {
   public:
    asked(std::size_t capacity, std::size_t)
        : capacity_(capacity), bytes_(std::make_unique_for_overwrite<std::byte[]>(capacity)) {}

    template <class Batch>
    std::size_t take(const Batch& batch, std::span<const std::uint32_t> numbers) {
      used_ = 0;
      std::size_t taken = 0;
      for (; taken < numbers.size() && add(batch[numbers[taken]]);) ++taken;
      return taken;
    }

    std::span<const std::byte> bytes() const { return {bytes_.get(), used_}; }

   private:
    bool add(const request& wanted) {
      const std::size_t end = used_ + bytes_of(wanted);
      if (end > capacity_) return false;
      std::byte* at = message::pack<hash_verb>(&bytes_[used_], wanted.verb);
      at = message::pack<Key>(at, wanted.key);
      if (stores(wanted.verb)) message::pack<Value>(at, wanted.value);
      used_ = end;
      return true;
    }

    std::size_t capacity_;
    std::size_t used_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
  };

  class arrived {
   public:
    using arrived_request = hash_request<message::arrival<Key>, message::arrival<Value>>;

    arrived(std::span<const std::byte> payload, std::uint32_t) : from_(payload) {}

    /// Returns the next request. Throws the errors of `serialization::read`. After an error, the
    /// next call returns the request that follows.
    arrived_request next() {
      const auto one = next_in_bytes();
      if (!stores(one.verb)) return {message::arrived<Key>(one.key), {}, one.verb};
      return {message::arrived<Key>(one.key), message::arrived<Value>(one.value), one.verb};
    }

    template <class Table>
    [[gnu::always_inline]] void prefetch_next(const Table& table) {
      if constexpr (message::bitwise_copyable<message::arrival<Key>>)
        table.prefetch(message::arrived<Key>(next_in_bytes().key));
    }

   private:
    struct in_bytes {
      hash_verb verb;
      std::span<const std::byte> key;
      std::span<const std::byte> value;
    };

    in_bytes next_in_bytes() {
      in_bytes one;
      one.verb = from_.next<hash_verb>();
      one.key = from_.next_bytes<Key>();
      if (stores(one.verb)) one.value = from_.next_bytes<Value>();
      return one;
    }

    message::unpacker from_;
  };

  /// Collects the answers to the requests of one message. Answers that do not fit into one message
  /// are sent in several messages.
  class answers {
   public:
    answers(const hash_return_address& to, std::uint32_t)
        : to_(to),
          capacity_(this_pe().messages->payload_capacity<hash_packed_answers<Value>>()),
          bytes_(std::make_unique_for_overwrite<std::byte[]>(capacity_)) {}

    void add(const hash_done<Value>& done) {
      hash_outcome outcome = done.outcome;
      bool tells = tells_value(done);
      std::size_t size = 1 + (tells ? message::packed_bytes<Value>(done.value) : 0);
      if (size > capacity_) {
        outcome = hash_outcome::too_long;
        tells = false;
        size = 1;
      }
      if (used_ + size > capacity_) send();
      bytes_[used_] = static_cast<std::byte>(outcome) | (tells ? k_with_value : std::byte{0});
      if (tells) message::pack<Value>(&bytes_[used_ + 1], done.value);
      used_ += size;
      ++held_;
    }

    void send() {
      auto& messages = *this_pe().messages;
      messages.send_with<message::traffic::owed>(messages.source(),
                                                 hash_packed_answers<Value>{to_, held_},
                                                 {bytes_.get(), used_}, site::current());
      to_.first += held_;
      used_ = held_ = 0;
    }

   private:
    hash_return_address to_;
    std::size_t capacity_;
    std::size_t used_ = 0;
    std::uint32_t held_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
  };
};

}  // namespace atl::container
