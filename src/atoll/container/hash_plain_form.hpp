#pragma once
// How requests and answers lie in messages where keys and values are trivially copyable: as arrays.
// That of the values is left out where none has one.

#include "atoll/base/pe.hpp"
#include "atoll/container/hash_wire.hpp"
#include "atoll/message/engine.hpp"

#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace atl::container {

/// The payload is the outcomes, and the values.
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

  /// Of so many requests in a message.
  static std::size_t bytes_of(std::size_t count, bool with_values) {
    return count * (with_values ? k_request_bytes : 1 + sizeof(Key));
  }

  /// What one message asks.
  class asked {
   public:
    /// For messages that take so many bytes, of so many requests in all. Throws std::bad_alloc;
    /// afterwards nothing does.
    asked(std::size_t capacity, std::size_t requests)
        : most_(std::min({capacity / k_request_bytes, requests,
                          this_pe().messages->payload_capacity<hash_plain_answers<Value>>() /
                              k_answer_bytes})),
          bytes_(std::make_unique_for_overwrite<std::byte[]>(most_ * k_request_bytes)) {}

    /// Takes as many of these requests of a batch as one message holds, and their answers; returns
    /// how many.
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

  /// The same where it has arrived.
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

  /// The answers to one message.
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

    /// To the PE whose message is being executed.
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

}  // namespace atl::container
