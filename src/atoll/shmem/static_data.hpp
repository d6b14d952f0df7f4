#pragma once
// Static and global variables of the program: shared with the other PEs of the node, and copied
// for children that the process forks.

#include "atoll/transport/shm/mapping.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace atl::shmem {

// Memory that a process shares with other PEs, and that a child which it forks must not change: the
// child has a copy, as of any other memory.

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

// Static and global variables of the program as memory that other PEs of the node can reach.

/// Makes the static and global variables of the executable shared, where they are: their pages are
/// copied into a file in memory, which is mapped over them. Addresses and values stay; .bss that
/// was never touched takes no memory. Made once, by the process of the PE: what is shared already
/// is left out. It stays so until the process ends, and so must the object: a fork reads the file.
///
/// Must be made while no other thread runs, for what that writes meanwhile would be lost; signals
/// wait. Likewise lost for what was told of the pages before: a device that reads or writes
/// registered memory, memory locked (mlock), advice (madvise).
///
/// Left out are: what the linker makes read-only after relocation (RELRO: .init_array, .dynamic,
/// .got, vtables, constants with addresses), other constants, variables of shared libraries,
/// thread-local ones, guard pages, and what the program has mapped over its variables as shared
/// itself. With what is exposed lies, on the same pages, what is not meant for others: .got.plt
/// unless linked with -z now, all of RELRO if linked with -z norelro, copies of variables of shared
/// libraries that the program names (stdout, environ), and in a statically linked program the state
/// of the C library. All go on to work, for each PE writes only its own.
///
/// A process forked later has a copy of its own (`copy_in_children`). Core dumps hold the
/// variables, as memory that is anonymous and shared.
class static_data {
 public:
  /// In a file of their own. Throws `error` (environment); the variables are as before then, shared
  /// or not.
  static_data();

  /// Likewise in a file that PEs have in common, each at its `place` of `places`, behind what the
  /// file has. All must have `bytes_of_program` of the same size.
  static_data(const transport::endpoint::common_file& common, std::size_t place,
              std::size_t places);
  static_data(const static_data&) = delete;
  static_data& operator=(const static_data&) = delete;

  /// What would be exposed now; throws `error` (environment).
  static std::size_t bytes_of_program();

  /// From the first exposed page to the end of the last; the same offsets on all PEs of a program.
  /// What lies between two exposed stretches is not backed by the file. Empty when nothing can be
  /// exposed.
  std::span<std::byte> bytes() const noexcept { return bytes_; }

  /// Of the file of its own, whose offsets are those in `bytes`; -1 when that is empty.
  int descriptor() const noexcept { return file_ ? file_->descriptor() : -1; }

 private:
  std::span<std::byte> bytes_;
  std::optional<transport::shm::mapping> file_;
};

/// The static data of another PE of this node, which runs the same executable.
class foreign_static_data {
 public:
  /// `bytes` of a file, from `offset` on. Throws `error` (environment) when it cannot be mapped.
  foreign_static_data(int file, std::uint64_t offset, std::size_t bytes);

  /// In the common file, at `place`.
  foreign_static_data(const transport::endpoint::common_file& common, std::size_t place,
                      std::size_t bytes);
  ~foreign_static_data();
  foreign_static_data(const foreign_static_data&) = delete;
  foreign_static_data& operator=(const foreign_static_data&) = delete;

  /// Of what the other PE has at the begin of its `bytes`; null when that is empty.
  std::byte* begin() const noexcept { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace atl::shmem
