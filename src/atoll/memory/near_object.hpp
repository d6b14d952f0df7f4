#pragma once
// Functions that travel to an object, in few bytes: nearly all objects have an offset of at most 32
// bits, and messages of half the size cost the network and the caches half.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/global_address.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace atl::memory {

/// A value that is trivially copyable, needing 4 bytes of alignment at most.
template <class T>
class half_aligned {
 public:
  explicit half_aligned(const T& value) : words_(std::bit_cast<words>(value)) {}
  T get() const { return std::bit_cast<T>(words_); }

 private:
  // Words, not bytes: a store of bytes may change anything, so the compiler would load all again.
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

/// Calls a function with the T at an offset that 32 bits can say, counted in alignments of T, which
/// it is a multiple of. The function may say what it will touch (`prefetch`); else it is the
/// object.
template <class T, class Function>
class near_object {
 public:
  static constexpr std::uint64_t lines_touched = 1;
  static constexpr bool may_be_relayed = true;  ///< the function must not ask who has sent it
  static constexpr bool is_leaf = requires { requires Function::is_leaf; };
  static_assert(!is_leaf || std::is_nothrow_invocable_v<const Function&, T&>,
                "a leaf function is noexcept");

  static constexpr bool reaches(std::uint64_t offset) {
    return std::rotr(offset, std::countr_zero(alignof(T))) <=
           std::numeric_limits<std::uint32_t>::max();
  }

  near_object(std::uint64_t offset, const Function& function)
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
