#pragma once
// This file defines which values can be sent between PEs, and how the values are serialised.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace atl {

namespace message {

/// A closure or value that is copied bitwise between PEs. The value must not own or point to memory
/// of its PE. A `site` (a place in the source code) is refused, because it contains a pointer; send
/// a `transport::travelling_site` instead.
template <class Closure>
concept bitwise_copyable = std::is_trivially_copyable_v<Closure> && alignof(Closure) <= 64;

}  // namespace message

/// Defines how a type is serialised as a key or value of a container. Values of trivially copyable
/// types are copied byte by byte. For strings and vectors of trivially copyable elements, the
/// elements are copied. For a type of your own that owns memory, specialise this template with
/// three static functions.
///
/// `std::size_t bytes(const T&)` returns how many bytes the value takes.
/// `void write(const T&, std::span<std::byte>)` fills the whole span with the bytes of the value.
/// `T read(std::span<const std::byte>)` reconstructs the value from the written bytes, on another
/// PE.
///
/// The spans passed to `write`, `read` and `look` need not be aligned. If `read` throws, for
/// example std::bad_alloc, the operation on the container fails. Besides `bytes`, `write` and
/// `read`, a specialisation may have a function `look`.
///
/// `View look(std::span<const std::byte>) noexcept` returns a view of the bytes in place.
///
/// The view that `look` returns must be trivially copyable and have the same hash value as the
/// result of `read` for the same bytes. The view that `look` returns must be comparable with a T,
/// and convertible or assignable to a T. With `look`, the container allocates no memory to look up
/// a key that it already contains.
///
/// With g++ 12, pass keys and values that own memory as named local variables. The compiler g++ 12
/// destroys a temporary object twice if the object is made by braces in an expression with
/// `co_await`.
template <class T>
struct serialization;

template <message::bitwise_copyable T>
struct serialization<T> {
  static constexpr std::size_t bytes(const T&) { return sizeof(T); }
  static void write(const T& value, std::span<std::byte> to) {
    std::memcpy(to.data(), &value, sizeof(T));
  }
  static T read(std::span<const std::byte> from) {
    T value;
    std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }
};

template <>
struct serialization<std::string> {
  static std::size_t bytes(std::string_view value) { return value.size(); }
  static void write(std::string_view value, std::span<std::byte> to) {
    value.copy(reinterpret_cast<char*>(to.data()), to.size());
  }
  static std::string_view look(std::span<const std::byte> from) noexcept {
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }
  static std::string read(std::span<const std::byte> from) { return std::string(look(from)); }
};

template <message::bitwise_copyable Element>
struct serialization<std::vector<Element>> {
  using vector = std::vector<Element>;

  static std::size_t bytes(const vector& value) { return value.size() * sizeof(Element); }
  static void write(const vector& value, std::span<std::byte> to) {
    if (!to.empty()) std::memcpy(to.data(), value.data(), to.size());
  }
  static vector read(std::span<const std::byte> from) {
    vector value(from.size() / sizeof(Element));
    if (!from.empty()) std::memcpy(value.data(), from.data(), from.size());
    return value;
  }
};

namespace message {

/// A type that `serialization<T>` can serialise.
template <class T>
concept packs = requires(const T& value, std::span<std::byte> to, std::span<const std::byte> from) {
  { serialization<T>::bytes(value) } -> std::convertible_to<std::size_t>;
  serialization<T>::write(value, to);
  { serialization<T>::read(from) } -> std::same_as<T>;
};

}  // namespace message
}  // namespace atl
