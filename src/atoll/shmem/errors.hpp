#pragma once
// This file has the error messages about wrong calls of a program. A message describes the mistake,
// and names the line of the program that made the call.

#include "atoll/error.hpp"

#include <cstddef>
#include <string>

namespace atl::shmem {

// The next functions find the line of the program that has called this library.

/// Returns the return address of the call by which the program entered this library on the calling
/// thread. Returns null if the library is linked statically, because the code of a static library
/// cannot be distinguished from the program's code.
const void* first_caller_outside();

/// Returns the line of the call whose return address is `behind`, such as "put.c:21". The function
/// runs the tool addr2line, which reads the debugging information. Returns an empty text if
/// addr2line or the debugging information is missing. Each thread caches its last result, because
/// starting addr2line takes long.
std::string line_of_call(const void* behind);

// A C program cannot catch exceptions. Each of the next functions therefore prints an error on
// standard error and ends the job. The error message names the call and its values. If the program
// has debugging information, the error message also names the line of the call.

/// Prints "PE 1: error: CALL, called at put.c:21: WHAT" and ends the job with status 2. Any thread
/// may call this function.
[[noreturn]] void refuse(const char* call, const std::string& what);
[[noreturn]] void refuse_pe(const char* call, int pe);
[[noreturn]] void refuse_address(const char* call, const void* local, std::size_t bytes);

/// Ends the job, because `elements` elements of `element_bytes` bytes need more bytes than an
/// address space has.
[[noreturn]] void refuse_count(const char* call, std::size_t elements, std::size_t element_bytes);

/// Returns the number of bytes of `elements` elements. Ends the job if the number of bytes exceeds
/// 2^47, so that `elements * element_bytes` never overflows. A negative number of elements also
/// ends the job, because the conversion to `std::size_t` has made it a very large number.
[[gnu::always_inline]] inline std::size_t bytes_of(const char* call, std::size_t elements,
                                                   std::size_t element_bytes) {
  constexpr std::size_t k_most = std::size_t{1} << 47;
  if (elements > k_most / element_bytes) [[unlikely]]
    refuse_count(call, elements, element_bytes);
  return elements * element_bytes;
}

[[noreturn]] void refuse_misaligned(const char* call, const void* local, std::size_t bytes);

/// Prints the current exception as a failure of `call` and ends the job. Call this function only
/// within a catch block.
[[noreturn]] void end_by_exception(const char* call);

#ifndef ATOLL_CHECKED
inline constexpr bool k_checks_all = false;
#else
inline constexpr bool k_checks_all = true;
#endif

/// In debug builds, ends the job if the `bytes` bytes at `local` are in the symmetric heap but were
/// not allocated.
void refuse_unallocated(const char* call, const void* local, std::size_t bytes);
inline void check_allocated(const char* call, const void* local, std::size_t bytes) {
  if constexpr (k_checks_all) refuse_unallocated(call, local, bytes);
}

}  // namespace atl::shmem
