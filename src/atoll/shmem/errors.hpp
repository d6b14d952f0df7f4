#pragma once
// Messages about wrong calls. A message names the mistake, and the line of the program that made
// the call.

#include "atoll/error.hpp"

#include <cstddef>
#include <string>

namespace atl::shmem {

// The line of the program that has called into this library.

/// Returns the address after the instruction by which the calling thread entered this library.
/// Returns null if the library is linked statically, because its code then cannot be distinguished
/// from the program.
const void* first_caller_outside();

/// Returns the line of the call before the address `behind`, such as "put.c:21". The tool addr2line
/// finds the line in the debugging information. The text is empty if there is no addr2line or no
/// debugging information. Each thread remembers the line of the last address.
std::string line_of_call(const void* behind);

// A C program cannot catch exceptions. An error is therefore printed on standard error, and ends
// the job. The message names the call, its values and, with debugging information, its line in the
// program.

/// Prints "PE 1: error: CALL, called at put.c:21: WHAT" and ends the job with status 2. Any thread
/// may call it.
[[noreturn]] void refuse(const char* call, const std::string& what);
[[noreturn]] void refuse_pe(const char* call, int pe);
[[noreturn]] void refuse_address(const char* call, const void* local, std::size_t bytes);

/// Ends the job, because `elements` elements of `element_bytes` bytes are larger than an address
/// space.
[[noreturn]] void refuse_count(const char* call, std::size_t elements, std::size_t element_bytes);

/// Returns the number of bytes of `elements` elements. Ends the job if no machine can have so many
/// bytes. Otherwise the product could overflow. A negative count of the program is a very large
/// count here, so it also ends the job.
[[gnu::always_inline]] inline std::size_t bytes_of(const char* call, std::size_t elements,
                                                   std::size_t element_bytes) {
  constexpr std::size_t k_most = std::size_t{1} << 47;
  if (elements > k_most / element_bytes) [[unlikely]]
    refuse_count(call, elements, element_bytes);
  return elements * element_bytes;
}

[[noreturn]] void refuse_misaligned(const char* call, const void* local, std::size_t bytes);

/// Prints the current exception as a failure of `call` and ends the job. The function is called
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
