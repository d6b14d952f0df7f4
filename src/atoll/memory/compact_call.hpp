#pragma once
// This file has a short message that calls a function on an object of another PE. The message
// stores the object's offset in 32 bits, which suffices for nearly all objects. A shorter message
// needs less network bandwidth and less space in caches.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/global_address.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace atl::memory {

/// Stores a trivially copyable value with an alignment of at most 4 bytes. A message that consists
/// of `half_aligned` values needs no padding to a multiple of 8 bytes.
template <class T>
class half_aligned {
 public:
  explicit half_aligned(const T& value) : words_(std::bit_cast<words>(value)) {}
  T get() const { return std::bit_cast<T>(words_); }

 private:
  // The value is stored as 32-bit words, not as bytes. A store to bytes may change any variable, so
  // the compiler would have to reload all variables afterwards.
  using words = std::array<std::uint32_t, sizeof(T) / sizeof(std::uint32_t)>;
  words words_;
};

template <class T>
  requires(alignof(T) <= sizeof(std::uint32_t))
class half_aligned<T> {
 public:
  explicit half_aligned(const T& value) : value_(value) {}
  const T& get() const { return value_; }

 private:
  [[no_unique_address]] T value_;
};

/// A message that calls a function with the object of type T at an offset of the receiver. The
/// offset is stored in 32 bits, as a multiple of the alignment of T. If the function has a member
/// `prefetch`, the member prefetches the memory that the function will use. If the function has no
/// member `prefetch`, the message prefetches the object.
template <class T, class Function>
class compact_call {
 public:
  static constexpr std::uint64_t lines_touched = 1;
  /// The function must not ask for its sender, because the answer may be a PE that has relayed the
  /// message.
  static constexpr bool may_be_relayed = true;
  static constexpr bool is_leaf = requires { requires Function::is_leaf; };
  static_assert(!is_leaf || std::is_nothrow_invocable_v<const Function&, T&>,
                "a leaf function is noexcept");

  static constexpr bool reaches(std::uint64_t offset) {
    return std::rotr(offset, std::countr_zero(alignof(T))) <=
           std::numeric_limits<std::uint32_t>::max();
  }

  compact_call(std::uint64_t offset, const Function& function)
      : place_(static_cast<std::uint32_t>(offset / alignof(T))), function_(function) {}

  decltype(auto) operator()() const noexcept(std::is_nothrow_invocable_v<const Function&, T&>) {
    return function_.get()(object());
  }
  [[gnu::always_inline]] void prefetch() const {
    if constexpr (requires(const Function& function, T& at) { function.prefetch(at); }) {
      function_.get().prefetch(object());
    } else {
      bring_near(&object());
    }
  }

 private:
  T& object() const { return object_at<T>(std::uint64_t{place_} * alignof(T)); }

  std::uint32_t place_;
  [[no_unique_address]] half_aligned<Function> function_;
};

}  // namespace atl::memory
