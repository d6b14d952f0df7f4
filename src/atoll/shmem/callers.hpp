#pragma once
// Which line of a program has called into the library.

#include <string>

namespace atl::shmem {

/// The address behind the call by which the calling thread came into this library; null where the
/// library is a part of the program, and cannot be told from it.
const void* first_caller_outside();

/// "put.c:21": the line that the debugging information of the program has for the call before this
/// address, by addr2line; empty where there is none of either. Each thread
/// remembers the last one.
std::string line_of_call(const void* behind);

}  // namespace atl::shmem
