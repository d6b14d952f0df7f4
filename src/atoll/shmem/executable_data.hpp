#pragma once
// The mappings of this process, the data of the executable among them, and the exchange of its
// pages for those of a file.

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
  bool is_anonymous;  ///< of no file
};

/// Returns all mappings that begin below `end`, in the order of addresses. Throws `error`
/// (environment) without /proc.
std::vector<mapped_range> mapped_below(std::uintptr_t end);

// The data of the executable in this process.

/// Whole pages of one kind.
struct data_piece {
  std::byte* begin;
  std::byte* end;
  int protection;     ///< as for mmap
  bool is_anonymous;  ///< zero where it was never written; otherwise it began as part of a file
};

/// Returns the .data and .bss of the executable (no shared library), in the order of addresses.
/// These are the pages of its writable segments that this process may write and shares with no
/// other. Pages that are read-only after relocation (RELRO), guard pages and mappings that the
/// program shares are excluded. Throws `error` (environment) without /proc.
std::vector<data_piece> executable_data();

// Exchange of the pages of static data for those of a file, while nothing changes them.

/// The call that the kernel refused; `call` is null if none was.
struct refused_exchange {
  const char* call = nullptr;
  std::size_t bytes = 0;
  int reason = 0;
};

/// Opens /proc/self/pagemap to find the pages that were never touched. If that fails, all pages are
/// examined.
class page_exchange {
 public:
  page_exchange(int file, std::uint64_t place, const std::byte* first) noexcept;
  ~page_exchange();
  page_exchange(const page_exchange&) = delete;
  page_exchange& operator=(const page_exchange&) = delete;

  /// Copies the nonzero pages to the file and maps the file over them. The distance of a page from
  /// `place` in the file is its distance from `first` in memory. Changes by others meanwhile are
  /// lost, so the caller holds signals and threads back. The function changes only this object and
  /// its stack, and calls only the kernel, even if libraries and sanitizers are linked statically.
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
