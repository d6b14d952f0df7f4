#pragma once
// Wrong use of global memory is refused where it is seen: an element that an array does not have,
// an address of no PE or of no array.

#include "atoll/base/site.hpp"

#include <cstdint>

namespace atl::memory {

/// Throws atl::error (input): an array of `size` elements does not have these.
[[noreturn]] void refuse_elements(std::uint64_t first, std::uint64_t count, std::uint64_t size);

/// Throws atl::error (input) where `pe` does not exist, or where the bytes at `offset`, if there
/// are any, do not lie in one global array.
void check_access(int pe, std::uint64_t offset, std::uint64_t bytes, site where);

/// Throws atl::error (input) where the PE that a call names does not exist: the root of a
/// collective, or who sends or receives.
void check_pe(const char* call, int pe, site where);

/// As `check_access`, in debug builds only.
inline void check_access_in_debug([[maybe_unused]] int pe, [[maybe_unused]] std::uint64_t offset,
                                  [[maybe_unused]] std::uint64_t bytes,
                                  [[maybe_unused]] site where) {
#ifdef ATOLL_CHECKED
  check_access(pe, offset, bytes, where);
#endif
}

}  // namespace atl::memory
