#pragma once
// A closure that travels with an address of its sender's stack works where there is one PE, and
// crashes or changes other data where there are two: debug builds refuse it.

#include "atoll/base/site.hpp"

#include <cstddef>
#include <memory>
#include <span>

// The address sanitizer keeps what should lie on a stack elsewhere.
#if defined(ATOLL_CHECKED) && __has_builtin(__builtin_clear_padding) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define ATOLL_SEES_OWN_ADDRESSES
#endif

namespace atl::tasks {

/// Throws atl::error (input) where one of the words is an address on the stack of this PE, of what
/// came there since the PE began: another PE has something else there, or nothing, and this one
/// soon has, too.
void check_own_addresses(std::span<const std::byte> closure, site where);

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
