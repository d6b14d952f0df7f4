#pragma once
// The memory mappings of this process, the static data of the executable among them. Static data
// can be exchanged for pages of a file.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::shmem {

// The mappings of this process, as the kernel lists them.

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

struct mapped_range {
  address_range pages;
  bool is_private_and_writable;
  bool is_executable;
  bool is_anonymous;  ///< whether the mapping belongs to no file
};

/// Returns all mappings that begin below the address `end`, in the order of addresses. Throws
/// atl::error (environment) if /proc cannot be read.
std::vector<mapped_range> mapped_below(std::uintptr_t end);

// The data of the executable in this process.

/// Consecutive pages with the same protection and origin.
struct data_piece {
  std::byte* begin;
  std::byte* end;
  int protection;     ///< protection bits, as for mmap
  bool is_anonymous;  ///< true if the pages began as zeros, and not as a part of a file
};

/// Returns the .data and .bss of the executable, in the order of addresses. Shared libraries are
/// not included. The result consists of the pages of writable segments that this process may write
/// and shares with no other process. Pages that are read-only after relocation (RELRO), guard
/// pages, and mappings that the program shares are excluded. Throws atl::error (environment) if
/// /proc cannot be read.
std::vector<data_piece> executable_data();

// Exchange of the pages of static data for pages of a file. No thread may change the data
// meanwhile.

/// The system call that failed. `call` is null if none has failed.
struct refused_exchange {
  const char* call = nullptr;
  std::size_t bytes = 0;
  int reason = 0;
};

/// Replaces pages of static data by pages of a file. The object reads /proc/self/pagemap to skip
/// pages that were never touched. If that file cannot be opened, the object examines all pages.
class page_exchange {
 public:
  page_exchange(int file, std::uint64_t place, const std::byte* first) noexcept;
  ~page_exchange();
  page_exchange(const page_exchange&) = delete;
  page_exchange& operator=(const page_exchange&) = delete;

  /// Copies the nonzero pages to the file, and maps the file over them. A page at distance d from
  /// `first` in memory is at distance d from `place` in the file. Changes by other threads or
  /// signal handlers meanwhile would be lost, so the caller must hold them back. The function
  /// changes only this object and its stack. The function calls only the kernel, so that it works
  /// even with statically linked libraries and sanitizers.
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
