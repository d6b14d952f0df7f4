#pragma once
// The pages of static data, exchanged for those of a file while nothing changes them.

#include "atoll/shmem/executable_data.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::shmem {

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
