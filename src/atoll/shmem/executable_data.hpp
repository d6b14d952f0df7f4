#pragma once
// What is mapped in this process, where in it the data of the executable lies, and how its pages
// are exchanged for those of a file.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::shmem {

// What is mapped in this process, as the kernel says.

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

/// All that begins below this address, in the order of addresses. Throws `error` (environment)
/// without /proc.
std::vector<mapped_range> mapped_below(std::uintptr_t end);

// Where the data of the executable lies in this process.

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

// The pages of static data, exchanged for those of a file while nothing changes them.

/// What the kernel has refused; no `call` when nothing.
struct refused_exchange {
  const char* call = nullptr;
  std::size_t bytes = 0;
  int reason = 0;
};

/// Opens /proc/self/pagemap, to find the pages that were never touched; where that cannot be had,
/// it looks at all.
class page_exchange {
 public:
  page_exchange(int file, std::uint64_t place, const std::byte* first) noexcept;
  ~page_exchange();
  page_exchange(const page_exchange&) = delete;
  page_exchange& operator=(const page_exchange&) = delete;

  /// Copies the pages that are not zero to the file, where they are as far from `place` as from
  /// `first` in memory, and maps it over them. What is changed meanwhile by others is lost: the
  /// caller holds signals and threads back. Itself it changes nothing but this object and its
  /// stack, even where libraries and sanitizers are linked statically: it calls nothing but the
  /// kernel.
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
