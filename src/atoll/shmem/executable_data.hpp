#pragma once
// Where the data of the executable lies in this process.

#include <cstddef>
#include <vector>

namespace atl::shmem {

/// Whole pages of one kind.
struct data_piece {
  std::byte* begin;
  std::byte* end;
  int protection;     ///< as for mmap
  bool is_anonymous;  ///< zero where it was never written; otherwise it began as part of a file
};

/// What the executable (no shared library) has as .data and .bss, in the order of addresses: the
/// pages of its writable segments that this process may write and shares with nobody. So neither
/// what is read-only after relocation (RELRO), nor guard pages, nor what the program has mapped
/// there as shared. Throws `error` (environment) without /proc.
std::vector<data_piece> executable_data();

}  // namespace atl::shmem
