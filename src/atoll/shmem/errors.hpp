#pragma once
// Errors of wrong calls: the line of the program that made the call, and the mistake.

#include "atoll/error.hpp"

#include <cstddef>
#include <string>

namespace atl::shmem {

// The line of a program that has called into the library.

/// Returns the address after the call by which the calling thread entered this library. Returns
/// null if the library is a part of the program and cannot be distinguished from it.
const void* first_caller_outside();

/// Returns a text like "put.c:21": the line of the call before this address, which addr2line finds
/// in the debugging information. The text is empty without addr2line or debugging information. Each
/// thread remembers the last one.
std::string line_of_call(const void* behind);

// A C program gets no exceptions. An error is printed on standard error and ends the job. It names
// the call, its values and, with debugging information, its line in the program.

/// Prints "PE 1: error: CALL, called at put.c:21: WHAT" and ends the job with status 2. Any thread
/// may call it.
[[noreturn]] void refuse(const char* call, const std::string& what);
[[noreturn]] void refuse_pe(const char* call, int pe);
[[noreturn]] void refuse_address(const char* call, const void* local, std::size_t bytes);

/// Ends the job: `elements` elements of `element_bytes` bytes are larger than an address space.
[[noreturn]] void refuse_count(const char* call, std::size_t elements, std::size_t element_bytes);

/// Returns the bytes of `elements` elements. Ends the job if no machine can have them: the product
/// could wrap around, and a negative count is a very large one here.
[[gnu::always_inline]] inline std::size_t bytes_of(const char* call, std::size_t elements,
                                                   std::size_t element_bytes) {
  constexpr std::size_t k_most = std::size_t{1} << 47;
  if (elements > k_most / element_bytes) [[unlikely]]
    refuse_count(call, elements, element_bytes);
  return elements * element_bytes;
}

[[noreturn]] void refuse_misaligned(const char* call, const void* local, std::size_t bytes);

/// Prints the current exception as a failure of `call` and ends the job. Handlers of exceptions
/// call it.
[[noreturn]] void end_by_exception(const char* call);

#ifndef ATOLL_CHECKED
inline constexpr bool k_checks_all = false;
#else
inline constexpr bool k_checks_all = true;
#endif

/// Ends the job, in debug builds, if these bytes of the symmetric heap were not allocated.
void refuse_unallocated(const char* call, const void* local, std::size_t bytes);
inline void check_allocated(const char* call, const void* local, std::size_t bytes) {
  if constexpr (k_checks_all) refuse_unallocated(call, local, bytes);
}

}  // namespace atl::shmem
