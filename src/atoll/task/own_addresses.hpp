#pragma once
// A closure that travels with an address of its sender's stack works where there is one PE, and
// crashes or changes other data where there are two: debug builds refuse it.

#include "atoll/base/site.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace atl::tasks {

/// Throws atl::error (input) where one of the words is an address on this thread's stack: another
/// PE has something else there, or nothing, and this one soon has, too.
void check_own_addresses(std::span<const std::byte> closure, site where);

/// As `check_own_addresses`, in debug builds only. A closure that holds a pointer is aligned as
/// one.
template <class Closure>
void check_closure_in_debug([[maybe_unused]] const Closure& closure, [[maybe_unused]] site where) {
#ifdef ATOLL_CHECKED
  if constexpr (alignof(Closure) >= alignof(void*))
    check_own_addresses(std::as_bytes(std::span(std::addressof(closure), 1)), where);
#endif
}

}  // namespace atl::tasks
