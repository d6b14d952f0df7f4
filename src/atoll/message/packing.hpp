#pragma once
// The functions of this file pack several values, one after another, into the payload of a message.
// The payload is the part of a message that has a variable length. Each value is serialised as
// `serialization` defines (serialization.hpp). A length stands before each value whose type has no
// fixed size.

#include "atoll/message/serialization.hpp"

#include <cstdint>
#include <utility>

namespace atl::message {

template <class T>
concept looked_at = requires(std::span<const std::byte> from) { serialization<T>::look(from); };

/// Reads a value from the bytes of a message. If T is not an empty class and `serialization<T>` has
/// a function `look`, returns a view of the bytes. If T is an empty class or `serialization<T>` has
/// no function `look`, returns a T.
template <packs T>
auto arrived(std::span<const std::byte> from) {
  if constexpr (std::is_empty_v<T>) {
    return T{};
  } else if constexpr (looked_at<T>) {
    return serialization<T>::look(from);
  } else {
    return serialization<T>::read(from);
  }
}
template <packs T>
using arrival = decltype(arrived<T>({}));

using packed_length = std::uint32_t;

/// Returns the packed size of `value` in bytes. `value` can have any type that `serialization<T>`
/// accepts, and is packed in the same form as a T.
template <packs T, class Given>
std::size_t packed_bytes(const Given& value) {
  if constexpr (std::is_empty_v<T>) {
    return 0;
  } else if constexpr (bitwise_copyable<T>) {
    return sizeof(T);
  } else {
    return sizeof(packed_length) + serialization<T>::bytes(value);
  }
}

/// Packs `value` into the memory at `to`, which must have room for `packed_bytes` bytes. Returns
/// the address for the next value.
template <packs T, class Given>
std::byte* pack(std::byte* to, const Given& value) {
  if constexpr (std::is_empty_v<T>) return to;
  const std::size_t bytes = serialization<T>::bytes(value);
  if constexpr (!bitwise_copyable<T>) {
    const auto length = static_cast<packed_length>(bytes);
    std::memcpy(to, &length, sizeof length);
    to += sizeof length;
  }
  serialization<T>::write(value, {to, bytes});
  return to + bytes;
}

/// Reads packed values in the order in which they were packed.
class unpacker {
 public:
  explicit unpacker(std::span<const std::byte> packed) : at_(packed.data()) {}

  /// Returns the bytes of the next value and moves past the value. The next value must have the
  /// type T.
  template <packs T>
  std::span<const std::byte> next_bytes() {
    packed_length bytes = std::is_empty_v<T> ? 0 : sizeof(T);
    if constexpr (!bitwise_copyable<T> && !std::is_empty_v<T>) {
      std::memcpy(&bytes, at_, sizeof bytes);
      at_ += sizeof bytes;
    }
    return {std::exchange(at_, at_ + bytes), bytes};
  }

  /// Returns the next value, which has the type T. Throws the exceptions of
  /// `serialization<T>::read`. The unpacker moves past the value even if an exception is thrown.
  template <packs T>
  arrival<T> next() {
    return arrived<T>(next_bytes<T>());
  }

 private:
  const std::byte* at_;
};

}  // namespace atl::message
