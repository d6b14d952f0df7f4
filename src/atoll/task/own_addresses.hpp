#pragma once
// A closure may contain an address of its sender's stack, or of a variable of a coroutine. Such a
// closure works with one PE, but with two it crashes or changes other data. Where possible,
// capturing by reference is a compile-time error; debug builds search closures for such addresses.

#include "atoll/base/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

// The address sanitizer moves variables off the stack.
#if defined(ATOLL_CHECKED) && __has_builtin(__builtin_clear_padding) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define ATOLL_SEES_OWN_ADDRESSES
#endif

namespace atl::tasks {

/// True if a constant can be made from the closure's bytes: no member is a pointer or reference.
template <class Closure>
concept has_plain_bytes = requires {
  typename std::bool_constant<(
      static_cast<void>(__builtin_bit_cast(Closure, std::array<unsigned char, sizeof(Closure)>{})),
      true)>;
};

/// Returns whether a closure captures by reference. A class with a reference has no standard layout
/// and no plain bytes, nor, for g++, unique representations. The same is true of a capture with
/// public and private members, some of them pointers, which is therefore refused, too.
template <class Closure>
consteval bool captures_by_reference() {
  if constexpr (!std::is_trivially_copyable_v<Closure>)
    return false;  // NOLINT(bugprone-branch-clone): another check refuses such a closure
  else if constexpr (std::is_standard_layout_v<Closure> || has_plain_bytes<Closure>)
    return false;
#ifndef __clang__
  else if constexpr (std::has_unique_object_representations_v<Closure>)
    return false;
#endif
  else
    return true;
}

/// A pointer that returns to its PE with the closure that holds it, and is used only there, while
/// its target exists. The pointer is stored inverted, so that `check_own_addresses` accepts it.
template <class T>
class own_pointer {
 public:
  explicit own_pointer(T* to) : inverted_(~reinterpret_cast<std::uintptr_t>(to)) {}
  T* get() const { return reinterpret_cast<T*>(~inverted_); }

 private:
  std::uintptr_t inverted_;
};

/// Throws atl::error (input) if a word of the closure is an address on the part of this PE's stack
/// used since the PE began. Where PEs are processes, an address of a coroutine's frame is refused,
/// too. On another PE there is something else at that address, or nothing, and soon here as well.
void check_own_addresses(std::span<const std::byte> closure, site where);

/// Refuses, at compile time, a function for other PEs that captures a variable by reference.
template <class Function>
consteval void refuse_references() {
  static_assert(!captures_by_reference<Function>(),
                "this function runs on other PEs, and captures a variable by reference, which they "
                "do not have: capture by value, as [=] does");
}

/// Calls `check_own_addresses` in debug builds, with compilers that can clear padding. Padding and
/// empty optionals may contain any stale address. A closure that holds a pointer has at least a
/// pointer's alignment.
template <class Closure>
void check_closure_in_debug([[maybe_unused]] const Closure& closure, [[maybe_unused]] site where) {
#ifdef ATOLL_SEES_OWN_ADDRESSES
  if constexpr (alignof(Closure) >= alignof(void*)) {
    Closure cleared = closure;
    __builtin_clear_padding(std::addressof(cleared));
    check_own_addresses(std::as_bytes(std::span(std::addressof(cleared), 1)), where);
  }
#endif
}

}  // namespace atl::tasks
