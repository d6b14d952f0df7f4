#pragma once
// Static and global variables of the program, which are shared with the other PEs of the node and
// copied for children that the process forks.

#include "atoll/transport/shm/mapping.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace atl::shmem {

// Memory that a process shares with other PEs, and that a forked child must not change. The child
// has a copy, as of any other memory.

/// Pages that are a shared mapping of a part of a file in memory.
struct shared_pages {
  std::byte* begin;
  std::size_t bytes;
  int protection;  ///< as for mmap
  int file;        ///< stays open until `share_with_children`
  off_t offset;    ///< in the file
};

/// Gives each process that this one forks from now on a private copy of the pages at the same
/// place. Neither process sees what the other writes later. Pages that were never touched are not
/// copied. If the copy would take more than half of the free memory, the child shares the pages
/// that it has not written itself, with one message. Such a child still changes nothing for others.
/// `vfork`, `posix_spawn`, `system` and `popen` copy nothing.
void copy_in_children(const shared_pages& pages);

/// Ends `copy_in_children` for the pages that begin at `begin`.
void share_with_children(const std::byte* begin) noexcept;

// Static and global variables of the program as memory that other PEs of the node can access.

/// Makes the static and global variables of the executable shared in place. Their pages are copied
/// into a file in memory, which is mapped over them. Addresses and values stay, and .bss that was
/// never touched takes no memory. The process of the PE makes one object; memory that is already
/// shared is left out. The memory stays shared until the process ends, and the object must live as
/// long, because a fork reads the file.
///
/// No other thread may run meanwhile, because its writes would be lost; signals wait. Properties of
/// the old pages are lost as well: registration with a device, locks (mlock) and advice (madvise).
///
/// Memory that is read-only after relocation is left out (RELRO: .init_array, .dynamic, .got,
/// vtables, constants with addresses), and so are other constants. Variables of shared libraries,
/// thread-local variables, guard pages and shared mappings that the program made over its variables
/// are left out as well. Pages that are exposed also contain data that are not meant for others:
/// .got.plt unless linked with -z now, and all of RELRO if linked with -z norelro. They also
/// contain copies of variables of shared libraries that the program names (stdout, environ). In a
/// statically linked program the state of the C library is there as well. All of these go on to
/// work, because each PE writes only its own.
///
/// A process that is forked later has its own copy (`copy_in_children`). Core dumps contain the
/// variables, as anonymous shared memory.
class static_data {
 public:
  /// Uses a file of its own. Throws `error` (environment); the variables keep their values then,
  /// shared or not.
  static_data();

  /// Uses a file that PEs have in common, after the present end of the file. Each PE has its
  /// `place` of `places`. All PEs must have the same `bytes_of_program`. Throws `error`
  /// (environment).
  static_data(const transport::endpoint::common_file& common, std::size_t place,
              std::size_t places);
  static_data(const static_data&) = delete;
  static_data& operator=(const static_data&) = delete;

  /// Returns the number of bytes that would be exposed now. Throws `error` (environment).
  static std::size_t bytes_of_program();

  /// Returns the memory from the first exposed page to the end of the last. Offsets in it are the
  /// same on all PEs of a program. Gaps between exposed ranges are not backed by the file. The
  /// result is empty if nothing can be exposed.
  std::span<std::byte> bytes() const noexcept { return bytes_; }

  /// Returns the descriptor of the object's own file, whose offsets are those in `bytes`, or -1 if
  /// `bytes` is empty.
  int descriptor() const noexcept { return file_ ? file_->descriptor() : -1; }

 private:
  std::span<std::byte> bytes_;
  std::optional<transport::shm::mapping> file_;
};

/// The static data of another PE of this node, which runs the same executable.
class foreign_static_data {
 public:
  /// Maps `bytes` bytes of a file, from `offset` on. Throws `error` (environment) if they cannot be
  /// mapped.
  foreign_static_data(int file, std::uint64_t offset, std::size_t bytes);

  /// Maps the data of the PE at `place` of the common file.
  foreign_static_data(const transport::endpoint::common_file& common, std::size_t place,
                      std::size_t bytes);
  ~foreign_static_data();
  foreign_static_data(const foreign_static_data&) = delete;
  foreign_static_data& operator=(const foreign_static_data&) = delete;

  /// Returns the address of the first byte of the other PE's `bytes`, or null if that is empty.
  std::byte* begin() const noexcept { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace atl::shmem
