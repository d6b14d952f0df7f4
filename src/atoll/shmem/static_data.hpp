#pragma once
// This file makes the static and global variables of the program accessible to the other PEs of the
// node. Child processes that the program forks get copies of the static and global variables.

#include "atoll/transport/shm/mapping.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace atl::shmem {

// A forked child process must not share the memory that its parent shares with other PEs, because
// the child could change the data of PEs. The next functions give a forked child process a copy of
// the shared memory, just as `fork` does with all other memory.

/// Pages that are a shared mapping of an in-memory file.
struct shared_pages {
  std::byte* begin;
  std::size_t bytes;
  int protection;  ///< protection bits, as for mmap
  int file;        ///< descriptor of the file, which must stay open until `share_with_children`
  off_t offset;    ///< offset of the pages in the file
};

/// Makes each later fork of this process give the child a private copy of the pages, at the same
/// address. After a fork, neither parent nor child sees writes of the other process to the pages.
/// Pages that were never touched are not copied. If the copy would take more than half of the free
/// memory, a warning is printed and no copy is made. A child without a copy sees the writes of
/// other processes to pages that the child itself has not written. The child's own writes stay
/// private. `vfork`, `posix_spawn`, `system` and `popen` copy nothing.
void copy_in_children(const shared_pages& pages);

/// Ends the effect of `copy_in_children` for the pages that begin at `begin`: children of later
/// forks share the pages with this process.
void share_with_children(const std::byte* begin) noexcept;

// The next classes share static and global variables with the other PEs of the node.

/// Makes the static and global variables of the executable shared, at their old addresses. The
/// pages of the variables are copied into an in-memory file, which is then mapped at the same
/// addresses. The values of the variables do not change. Parts of .bss that were never touched take
/// no memory. Memory that is already shared is left out. Each process makes only one `static_data`
/// object. The object must exist until the process ends, because the memory stays shared, and each
/// fork reads the file.
///
/// No other thread may run during construction, because writes of another thread would be lost. The
/// constructor blocks signals. The new pages lose properties of the old pages: registration with a
/// device, locks (mlock) and advice (madvise).
///
/// The object does not share constants or memory that is read-only after relocation (RELRO):
/// .init_array, .dynamic, .got, vtables, and constants with addresses. The object does not share
/// variables of shared libraries or thread-local variables. The object does not share guard pages
/// or shared mappings that the program has made over its variables.
///
/// The exposed pages, which other PEs can access, also contain data that other PEs should not use.
/// The section .got.plt is exposed to other PEs, except in programs linked with -z now. In programs
/// linked with -z norelro, all memory that would be read-only after relocation is exposed. If the
/// program uses variables of shared libraries, such as stdout and environ, the executable has
/// copies of the variables, which are exposed, too. In a statically linked program, the state of
/// the C library is exposed to other PEs. Exposed data continue to work, because each PE writes
/// only its own data. A process that is forked later has its own copy (`copy_in_children`). Core
/// dumps contain the variables as anonymous shared memory.
class static_data {
 public:
  /// Shares the variables through a file that belongs to this object. Throws atl::error
  /// (environment). After an error, the variables keep their values, but may or may not be shared.
  static_data();

  /// Shares the variables through a file that several PEs have in common. The file becomes longer
  /// by `places` ranges of equal size, one per PE. The range with the index `place` is for this PE.
  /// `bytes_of_program` must be equal on all PEs. Throws atl::error (environment).
  static_data(const transport::endpoint::common_file& common, std::size_t place,
              std::size_t places);
  static_data(const static_data&) = delete;
  static_data& operator=(const static_data&) = delete;

  /// Returns the size in bytes of `bytes()` for an object that would be made now. Throws atl::error
  /// (environment).
  static std::size_t bytes_of_program();

  /// Returns the memory from the first to the last exposed page (page that other PEs can access). A
  /// variable has the same offset in the returned memory on all PEs of a program. Gaps between
  /// exposed pages are not mapped to the file. The result is empty if no page can be exposed.
  std::span<std::byte> bytes() const noexcept { return bytes_; }

  /// Returns the descriptor of the object's own file, or -1 if `bytes()` is empty. A byte has the
  /// same offset in the file as in `bytes()`.
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

  /// Maps the static data of the PE whose range in the common file has the index `place`.
  foreign_static_data(const transport::endpoint::common_file& common, std::size_t place,
                      std::size_t bytes);
  ~foreign_static_data();
  foreign_static_data(const foreign_static_data&) = delete;
  foreign_static_data& operator=(const foreign_static_data&) = delete;

  /// Returns the address in this process at which the other PE's static data begin. Returns null if
  /// the other PE has no static data.
  std::byte* begin() const noexcept { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace atl::shmem
