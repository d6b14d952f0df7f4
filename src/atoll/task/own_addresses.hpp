#pragma once
// A closure that travels with an address of its sender's stack, or of a variable of a coroutine,
// works where there is one PE, and crashes or changes other data where there are two. The compiler
// refuses what captures by reference where it can tell; debug builds look for the addresses.

#include "atoll/base/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

// The address sanitizer keeps what should lie on a stack elsewhere.
#if defined(ATOLL_CHECKED) && __has_builtin(__builtin_clear_padding) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define ATOLL_SEES_OWN_ADDRESSES
#endif

namespace atl::tasks {

/// A constant can be made of its bytes: no member of it is a pointer or a reference.
template <class Closure>
concept has_plain_bytes = requires {
  typename std::bool_constant<(
      static_cast<void>(__builtin_bit_cast(Closure, std::array<unsigned char, sizeof(Closure)>{})),
      true)>;
};

/// Whether a closure captures by reference. A class with a reference has no standard layout and no
/// plain bytes, nor, for g++, unique ones. The three are also true of a capture that has public and
/// private members, and pointers among them: it is taken for one.
template <class Closure>
consteval bool captures_by_reference() {
  if constexpr (!std::is_trivially_copyable_v<Closure>)
    return false;  // NOLINT(bugprone-branch-clone): it is refused for that alone
  else if constexpr (std::is_standard_layout_v<Closure> || has_plain_bytes<Closure>)
    return false;
#ifndef __clang__
  else if constexpr (std::has_unique_object_representations_v<Closure>)
    return false;
#endif
  else
    return true;
}

/// A pointer that comes back to its PE with the closure that holds it, and is used there only, as
/// long as what it points to exists. Kept inverted, so that nobody takes it for a mistake.
template <class T>
class own_pointer {
 public:
  explicit own_pointer(T* to) : inverted_(~reinterpret_cast<std::uintptr_t>(to)) {}
  T* get() const { return reinterpret_cast<T*>(~inverted_); }

 private:
  std::uintptr_t inverted_;
};

/// Throws atl::error (input) where one of the words is an address on the stack of this PE, of what
/// came there since the PE began, or, where PEs are processes, of a coroutine's frame: another PE
/// has something else there, or nothing, and this one soon has, too.
void check_own_addresses(std::span<const std::byte> closure, site where);

/// A function that runs on other PEs does not compile where it captures a variable by reference.
template <class Function>
consteval void refuse_references() {
  static_assert(!captures_by_reference<Function>(),
                "this function runs on other PEs, and captures a variable by reference, which they "
                "do not have: capture by value, as [=] does");
}

/// As `check_own_addresses`, in debug builds by compilers that can clear what lies between members,
/// where any address may be left (an optional that holds nothing may hold one still). A closure
/// that holds a pointer is aligned as one.
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
