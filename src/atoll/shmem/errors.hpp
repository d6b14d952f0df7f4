#pragma once
// What is said of a wrong call: which line of the program made it, and what was wrong.

#include "atoll/error.hpp"

#include <cstddef>
#include <string>

namespace atl::shmem {

// Which line of a program has called into the library.

/// The address behind the call by which the calling thread came into this library; null where the
/// library is a part of the program, and cannot be told from it.
const void* first_caller_outside();

/// "put.c:21": the line that the debugging information of the program has for the call before this
/// address, by addr2line; empty where there is none of either. Each thread
/// remembers the last one.
std::string line_of_call(const void* behind);

// A C program gets no exceptions: what is wrong is said on standard error, with the name of the
// call, its line in the program where that has debugging information, and the values, and ends the
// job.

/// Says "PE 1: error: CALL, called at put.c:21: WHAT" and ends the job with status 2. Any thread.
[[noreturn]] void refuse(const char* call, const std::string& what);
[[noreturn]] void refuse_pe(const char* call, int pe);
[[noreturn]] void refuse_address(const char* call, const void* local, std::size_t bytes);

/// So many elements have more bytes than an address space.
[[noreturn]] void refuse_count(const char* call, std::size_t elements, std::size_t element_bytes);

/// The bytes of so many elements. Ends the job where a machine cannot have them: the product could
/// wrap around, and a count below 0 is a very large one here.
[[gnu::always_inline]] inline std::size_t bytes_of(const char* call, std::size_t elements,
                                                   std::size_t element_bytes) {
  constexpr std::size_t k_most = std::size_t{1} << 47;
  if (elements > k_most / element_bytes) [[unlikely]]
    refuse_count(call, elements, element_bytes);
  return elements * element_bytes;
}

[[noreturn]] void refuse_misaligned(const char* call, const void* local, std::size_t bytes);

/// Within a handler of exceptions: says what came of a call, and ends the job.
[[noreturn]] void end_by_exception(const char* call);

#ifndef ATOLL_CHECKED
inline constexpr bool k_checks_all = false;
#else
inline constexpr bool k_checks_all = true;
#endif

/// In debug builds: ends the job where these bytes of the symmetric heap were not allocated.
void refuse_unallocated(const char* call, const void* local, std::size_t bytes);
inline void check_allocated(const char* call, const void* local, std::size_t bytes) {
  if constexpr (k_checks_all) refuse_unallocated(call, local, bytes);
}

}  // namespace atl::shmem
