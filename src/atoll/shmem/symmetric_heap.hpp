#pragma once
// The symmetric heap of the program: what is given out lies at the same distance from the beginning
// of each PE's segment. Collective, all of it.

#include <cstddef>

namespace atl::shmem {

/// `bytes` bytes, zero, at a multiple of `alignment`, which is a power of two; null on all PEs
/// where there is no memory, or SHMEM_SYMMETRIC_SIZE does not give more, which PE 0 says. Behind it
/// all PEs have them. For 0 bytes, null.
void* allocate(const char* call, std::size_t bytes, std::size_t alignment);

/// Gives back what `allocate` has returned, which no PE uses any more. Null: nothing happens.
void release(const char* call, void* memory);

/// How many bytes were asked for there.
std::size_t bytes_at(const char* call, const void* memory);

}  // namespace atl::shmem
