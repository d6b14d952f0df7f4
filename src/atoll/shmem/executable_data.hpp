#pragma once
// This file finds the static data (.data and .bss) of the executable among the memory mappings of
// this process. The file can also replace the pages of static data by pages of a file, which other
// PEs can map.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::shmem {

// The next types describe the mappings of this process, as the kernel lists them in
// /proc/self/maps.

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

struct mapped_range {
  address_range pages;
  bool is_private_and_writable;
  bool is_executable;
  bool is_anonymous;  ///< true if the mapping belongs to no file
};

/// Returns all mappings that begin below the address `end`, sorted by address. Throws atl::error
/// (environment) if /proc cannot be read.
std::vector<mapped_range> mapped_below(std::uintptr_t end);

// The next function returns the static data of the executable.

/// Consecutive pages of static data with the same protection and origin.
struct data_piece {
  std::byte* begin;
  std::byte* end;
  int protection;  ///< protection bits, as for mmap
  /// true if the pages were zero at the start; false if they were read from a file
  bool is_anonymous;
};

/// Returns the pages of .data and .bss of the executable, sorted by address. Data of shared
/// libraries are not included. The result contains only pages that this process may write and does
/// not share with another process. Pages that are read-only after relocation (RELRO), guard pages,
/// and shared mappings are therefore excluded. Throws atl::error (environment) if /proc cannot be
/// read.
std::vector<data_piece> executable_data();

// The next types replace pages of static data by pages of a file. No thread may change the static
// data during the replacement.

/// The failed system call: its name, the number of bytes, and the error number. `call` is null if
/// no call has failed.
struct refused_exchange {
  const char* call = nullptr;
  std::size_t bytes = 0;
  int reason = 0;
};

/// Replaces pages of static data by pages of a file. The object reads /proc/self/pagemap to skip
/// pages that were never touched. If /proc/self/pagemap cannot be read, the object examines all
/// pages.
class page_exchange {
 public:
  /// `file` is an open file descriptor. `place` is an offset in bytes in the file. A page at
  /// distance d from `first` in memory is at distance d from `place` in the file.
  page_exchange(int file, std::uint64_t place, const std::byte* first) noexcept;
  ~page_exchange();
  page_exchange(const page_exchange&) = delete;
  page_exchange& operator=(const page_exchange&) = delete;

  /// Copies all pages that are not zero to the file, and maps the file at the addresses of
  /// `pieces`. Writes by other threads or signal handlers would be lost, so the caller must prevent
  /// such writes. The function changes only this object and the stack, and calls only the kernel.
  /// The replaced static data may include the state of the C library and of sanitizers, which must
  /// not change meanwhile.
  refused_exchange run(const data_piece* pieces, std::size_t count) noexcept;

 private:
  static constexpr std::size_t most_entries = 2048;

  bool copy(const data_piece& piece) noexcept;
  bool write(const std::byte* begin, const std::byte* end) noexcept;
  bool map(const data_piece& piece) noexcept;
  bool holds_anything(const data_piece& piece, const std::byte* page) noexcept;
  bool is_touched(const data_piece& piece, const std::byte* page) noexcept;
  void read_entries(std::uintptr_t number, std::size_t most) noexcept;

  int file_;
  long place_;
  int pagemap_;
  const std::byte* first_;
  std::size_t page_size_;
  refused_exchange refused_;
  std::uintptr_t first_entry_ = 0;
  std::size_t entries_known_ = 0;
  std::uint64_t entries_[most_entries];
};

}  // namespace atl::shmem
