#pragma once
// What travels between PEs, and how.

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

/// What travels: copied bitwise, so it must not own or point to anything of its PE. (A `site` is a
/// pointer, and refuses; it travels as a `transport::travelling_site`.)
template <class Closure>
concept travels = std::is_trivially_copyable_v<Closure> && alignof(Closure) <= 64;

}  // namespace message

/// How the values of a type travel where they are keys or values of a container: what is trivially
/// copyable as its bytes, strings and vectors of such by what they hold. Specialise it for a type
/// of your own that owns memory, with these static functions (and give g++ 12 such keys and values
/// as named locals: it destroys twice what braces make inside of an expression with `co_await`):
///   std::size_t bytes(const T&)                   how many bytes it takes;
///   void write(const T&, std::span<std::byte>)    fills just as many;
///   T read(std::span<const std::byte>)            makes it again of them, on another PE.
/// The bytes lie at any address. `read` may throw, std::bad_alloc at the least: then the operation
/// concerned fails. A type may also have
///   View look(std::span<const std::byte>) noexcept
/// a trivially copyable view of the bytes in place that has the same hash, is compared with T, and
/// can be made into or assigned to a T: then no memory is taken for a key that is there already.
template <class T>
struct travel;

template <message::travels T>
struct travel<T> {
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
struct travel<std::string> {
  static std::size_t bytes(std::string_view value) { return value.size(); }
  static void write(std::string_view value, std::span<std::byte> to) {
    value.copy(reinterpret_cast<char*>(to.data()), to.size());
  }
  static std::string_view look(std::span<const std::byte> from) noexcept {
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }
  static std::string read(std::span<const std::byte> from) { return std::string(look(from)); }
};

template <message::travels Element>
struct travel<std::vector<Element>> {
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

/// It travels, as `travel<T>` says.
template <class T>
concept packs = requires(const T& value, std::span<std::byte> to, std::span<const std::byte> from) {
  { travel<T>::bytes(value) } -> std::convertible_to<std::size_t>;
  travel<T>::write(value, to);
  { travel<T>::read(from) } -> std::same_as<T>;
};

}  // namespace message
}  // namespace atl
