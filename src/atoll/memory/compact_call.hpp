#pragma once
// This file sends functions to an object in few bytes. Nearly all objects have an offset that fits
// into 32 bits. A message of half the size halves the cost in network and caches.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/global_address.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace atl::memory {

/// Stores a trivially copyable value with an alignment of at most 4 bytes.
template <class T>
class half_aligned {
 public:
  explicit half_aligned(const T& value) : words_(std::bit_cast<words>(value)) {}
  T get() const { return std::bit_cast<T>(words_); }

 private:
  // The value is stored as words, not as bytes. A store of bytes may alias any variable, so the
  // compiler would reload all variables.
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

/// Calls a function with the object of type T at an offset. The offset is stored in 32 bits as a
/// multiple of the alignment of T. The function may define `prefetch` for the memory that it will
/// touch; otherwise the object is prefetched.
template <class T, class Function>
class compact_call {
 public:
  static constexpr std::uint64_t lines_touched = 1;
  static constexpr bool may_be_relayed = true;  ///< the function must not ask for its sender
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
