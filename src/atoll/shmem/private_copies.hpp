#pragma once
// Memory that a process shares with other PEs, and that a child which it forks must not change: the
// child has a copy, as of any other memory.

#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace atl::shmem {

/// Pages that are a shared mapping of a part of a file in memory.
struct shared_pages {
  std::byte* begin;
  std::size_t bytes;
  int protection;  ///< as for mmap
  int file;        ///< stays open until `share_with_children`
  off_t offset;    ///< in the file
};

/// A process that this one forks from now on has what is there at the moment of the fork, as memory
/// of its own at the same place: neither sees what the other writes later. Pages that were never
/// touched are not copied. Where the copy would take more than half of the memory that is free, the
/// child shares the pages that it has not written itself, which is said once; it still changes
/// nothing for others. `vfork`, `posix_spawn`, `system` and `popen` copy nothing.
void copy_in_children(const shared_pages& pages);

/// Ends that for the pages that begin there.
void share_with_children(const std::byte* begin) noexcept;

}  // namespace atl::shmem
