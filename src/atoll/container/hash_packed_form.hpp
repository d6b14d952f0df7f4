#pragma once
// How requests and answers lie in messages where keys or values own memory: one behind the other,
// as `travel` says.

#include "atoll/base/pe.hpp"
#include "atoll/container/hash_wire.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/message/packing.hpp"

#include <memory>
#include <span>

namespace atl::container {

/// Of an outcome in a message with which a value comes.
inline constexpr std::byte k_with_value{0x80};

inline bool has_value(hash_outcome outcome) {
  return (static_cast<std::byte>(outcome) & k_with_value) != std::byte{0};
}
inline hash_outcome without_value(hash_outcome outcome) {
  return static_cast<hash_outcome>(static_cast<std::byte>(outcome) & ~k_with_value);
}

/// The payload is the outcomes, each with its value where there is one.
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
      to.values<Value>()[number] = travel<Value>::read(bytes);
    } catch (...) {
      to.outcomes()[number] = hash_outcome::failed;
    }
  }
};

template <class Key, class Value>
struct hash_packed_form {
  using request = hash_request<Key, Value>;

  /// What a request takes of a message.
  static std::size_t bytes_of(const request& wanted) {
    return sizeof(hash_verb) + message::packed_bytes<Key>(wanted.key) +
           (stores(wanted.verb) ? message::packed_bytes<Value>(wanted.value) : 0);
  }

  /// As hash_plain_form.
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

    /// Throws as `travel::read`, and goes on to the next request all the same.
    arrived_request next() {
      const auto one = next_in_bytes();
      if (!stores(one.verb)) return {message::arrived<Key>(one.key), {}, one.verb};
      return {message::arrived<Key>(one.key), message::arrived<Value>(one.value), one.verb};
    }

    template <class Table>
    [[gnu::always_inline]] void prefetch_next(const Table& table) {
      if constexpr (message::travels<message::arrival<Key>>)
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

  /// As many messages as the values need.
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
