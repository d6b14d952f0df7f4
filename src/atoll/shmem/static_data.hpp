#pragma once
// Static and global variables of the program. The other PEs of the node share them, and child
// processes that the program forks get a copy.

#include "atoll/transport/shm/mapping.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace atl::shmem {

// Memory that a process shares with other PEs must not be shared with a forked child, which could
// change it. The child gets a copy, as it does of all other memory.

/// Pages that are a shared mapping of a part of an in-memory file.
struct shared_pages {
  std::byte* begin;
  std::size_t bytes;
  int protection;  ///< protection bits, as for mmap
  int file;        ///< descriptor that stays open until `share_with_children`
  off_t offset;    ///< offset of the pages in the file
};

/// Gives each child that this process forks from now on a private copy of the pages, at the same
/// address. Neither process sees what the other one writes later. Pages that were never touched are
/// not copied. If the copy would take more than half of the free memory, a message is printed and
/// no copy is made. The child then sees changes of the other processes in pages that it has not
/// written, but its own writes stay private. `vfork`, `posix_spawn`, `system` and `popen` copy
/// nothing.
void copy_in_children(const shared_pages& pages);

/// Ends the effect of `copy_in_children` for the pages that begin at `begin`.
void share_with_children(const std::byte* begin) noexcept;

// Static and global variables of the program, in memory that other PEs of the node can access.

/// Makes the static and global variables of the executable shared without moving them. The pages of
/// the variables are copied into an in-memory file, which is mapped at the same addresses. Values
/// do not change, and .bss that was never touched takes no memory. The process of a PE makes one
/// object. Memory that is already shared is left out. The memory stays shared until the process
/// ends. The object must exist as long, because a fork reads the file.
///
/// No other thread may run meanwhile, because its writes would be lost. Signals are blocked.
/// Properties of the old pages are also lost: registration with a device, locks (mlock) and advice
/// (madvise).
///
/// Memory that is read-only after relocation (RELRO) is left out: .init_array, .dynamic, .got,
/// vtables, and constants with addresses. Other constants are left out as well. The same holds for
/// variables of shared libraries, thread-local variables, guard pages, and shared mappings that the
/// program made over its variables. The exposed pages also contain some data that other PEs should
/// not use. The section .got.plt is exposed unless linked with -z now, and all of RELRO is exposed
/// if linked with -z norelro. Copies of variables of shared libraries that the program names, such
/// as stdout and environ, are exposed, too. In a statically linked program the state of the C
/// library is also exposed. All of these data continue to work, because each PE writes only its
/// own.
///
/// A process that is forked later has its own copy (`copy_in_children`). Core dumps contain the
/// variables as anonymous shared memory.
class static_data {
 public:
  /// Shares the variables through a file of its own. Throws atl::error (environment). After an
  /// error the variables keep their values, but may or may not be shared.
  static_data();

  /// Shares the variables through a file that several PEs have in common. The data go behind the
  /// present end of the file. Each PE has one of `places` equal ranges, with the index `place`. All
  /// PEs must have the same `bytes_of_program`. Throws atl::error (environment).
  static_data(const transport::endpoint::common_file& common, std::size_t place,
              std::size_t places);
  static_data(const static_data&) = delete;
  static_data& operator=(const static_data&) = delete;

  /// Returns the number of bytes that would be exposed now. Throws atl::error (environment).
  static std::size_t bytes_of_program();

  /// Returns the memory from the first exposed page to the end of the last one. Offsets in this
  /// range are the same on all PEs of a program. Gaps between exposed ranges are not mapped to the
  /// file. The result is empty if nothing can be exposed.
  std::span<std::byte> bytes() const noexcept { return bytes_; }

  /// Returns the descriptor of the object's own file, or -1 if `bytes` is empty. Offsets in the
  /// file equal offsets in `bytes`.
  int descriptor() const noexcept { return file_ ? file_->descriptor() : -1; }

 private:
  std::span<std::byte> bytes_;
  std::optional<transport::shm::mapping> file_;
};

/// A mapping of the static data of another PE of this node, which runs the same executable.
class foreign_static_data {
 public:
  /// Maps `bytes` bytes of a file, from `offset` on. Throws atl::error (environment) if the bytes
  /// cannot be mapped.
  foreign_static_data(int file, std::uint64_t offset, std::size_t bytes);

  /// Maps the data of the PE with the index `place` in the common file.
  foreign_static_data(const transport::endpoint::common_file& common, std::size_t place,
                      std::size_t bytes);
  ~foreign_static_data();
  foreign_static_data(const foreign_static_data&) = delete;
  foreign_static_data& operator=(const foreign_static_data&) = delete;

  /// Returns the address at which the other PE's `bytes` begin, or null if that range is empty.
  std::byte* begin() const noexcept { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace atl::shmem
