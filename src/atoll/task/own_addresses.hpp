#pragma once
// A closure may contain an address of its sender's stack, or of a variable of a coroutine. In a job
// of one PE, a closure with an address of its sender works. In a job of several PEs, a closure with
// an address of its sender crashes on another PE, or changes other data there. If the compiler can
// detect a capture by reference, the capture is a compile-time error. Debug builds also search each
// closure for addresses of the sender's stack and coroutines.

#include "atoll/base/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

// Builds with the address sanitizer do not search closures for addresses, because the address
// sanitizer moves variables off the stack.
#if defined(ATOLL_CHECKED) && __has_builtin(__builtin_clear_padding) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define ATOLL_SEES_OWN_ADDRESSES
#endif

namespace atl::tasks {

/// True if no member of the closure is a pointer or reference. In a constant expression, bytes can
/// be converted to a type only if the type contains no pointer or reference.
template <class Closure>
concept has_plain_bytes = requires {
  typename std::bool_constant<(
      static_cast<void>(__builtin_bit_cast(Closure, std::array<unsigned char, sizeof(Closure)>{})),
      true)>;
};

/// Returns whether a closure captures a variable by reference. A closure with a reference fails all
/// tests of the function: standard layout, `has_plain_bytes` and, in g++, unique object
/// representations. The function also returns true if a captured object has public and private
/// members, and some members are pointers.
template <class Closure>
consteval bool captures_by_reference() {
  if constexpr (!std::is_trivially_copyable_v<Closure>)
    return false;  // NOLINT(bugprone-branch-clone): another check refuses nontrivial closures
  else if constexpr (std::is_standard_layout_v<Closure> || has_plain_bytes<Closure>)
    return false;
#ifndef __clang__
  else if constexpr (std::has_unique_object_representations_v<Closure>)
    return false;
#endif
  else
    return true;
}

/// A pointer in a closure that is sent to other PEs. The pointer may be used only on the PE that
/// made it, and only while its target exists. The pointer is stored inverted, so that
/// `check_own_addresses` accepts the closure.
template <class T>
class own_pointer {
 public:
  explicit own_pointer(T* to) : inverted_(~reinterpret_cast<std::uintptr_t>(to)) {}
  T* get() const { return reinterpret_cast<T*>(~inverted_); }

 private:
  std::uintptr_t inverted_;
};

/// Throws atl::error (input) if a word of the closure is an address on this PE's stack. The
/// searched part of the stack extends from the current frame to the `pe` object. If PEs are
/// processes, an address in a coroutine's frame is refused, too. On another PE, an address of the
/// sender's stack or frame refers to other data or to none.
void check_own_addresses(std::span<const std::byte> closure, site where);

/// Causes a compile-time error if a function for other PEs captures a variable by reference.
template <class Function>
consteval void refuse_references() {
  static_assert(!captures_by_reference<Function>(),
                "this function runs on other PEs, and captures a variable by reference, which they "
                "do not have: capture by value, as [=] does");
}

/// Calls `check_own_addresses` in debug builds, if the compiler can clear padding. Padding and
/// empty optionals must be cleared, because they may contain any stale address. A closure with less
/// alignment than a pointer cannot contain a pointer, so the closure is not checked.
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
