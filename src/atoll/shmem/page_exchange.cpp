#include "atoll/shmem/page_exchange.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sanitizers keep their state in the executable, and would change it; they also poison what lies
// between variables. A template of the standard library may be an instrumented one of another file.
#ifdef __clang__
#define ATOLL_NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define ATOLL_NOT_INSTRUMENTED __attribute__((no_sanitize("address,thread,undefined")))
#endif

namespace atl::shmem {
namespace {

// Of an entry of the pagemap. Other bits may be set where there is no page.
constexpr std::uint64_t in_memory_or_swapped_out = std::uint64_t{3} << 62;

ATOLL_NOT_INSTRUMENTED bool is_zero(const std::byte* page, std::size_t bytes) noexcept {
  const auto* words = reinterpret_cast<const std::uint64_t*>(page);
  constexpr std::size_t words_at_once = 8;
  for (const auto* end = words + bytes / sizeof *words; words != end; words += words_at_once) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words_at_once; ++i) any |= words[i];
    if (any != 0) return false;
  }
  return true;
}

}  // namespace

page_exchange::page_exchange(int file, std::uint64_t place, const std::byte* first) noexcept
    : file_(file),
      place_(static_cast<long>(place)),
      pagemap_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)),
      first_(first),
      page_size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {}

page_exchange::~page_exchange() {
  if (pagemap_ >= 0) close(pagemap_);
}

ATOLL_NOT_INSTRUMENTED refused_exchange page_exchange::run(const data_piece* pieces,
                                                           std::size_t count) noexcept {
  bool done = true;
  for (std::size_t i = 0; i < count && done; ++i) done = copy(pieces[i]);
  for (std::size_t i = 0; i < count && done; ++i) done = map(pieces[i]);
  return refused_;
}

ATOLL_NOT_INSTRUMENTED bool page_exchange::copy(const data_piece& piece) noexcept {
  const std::byte* begin = piece.begin;
  while (begin != piece.end) {
    const std::byte* end = begin;
    while (end != piece.end && holds_anything(piece, end)) end += page_size_;
    if (!write(begin, end)) return false;
    begin = end == piece.end ? end : end + page_size_;
  }
  return true;
}

// By a call, not by way of a mapping, so that a lack of memory is an error.
ATOLL_NOT_INSTRUMENTED bool page_exchange::write(const std::byte* begin,
                                                 const std::byte* end) noexcept {
  while (begin != end) {
    const long done = syscall(SYS_pwrite64, file_, begin, end - begin, place_ + (begin - first_));
    if (done <= 0) {
      refused_ = {"pwrite", static_cast<std::size_t>(end - begin), errno};
      return false;
    }
    begin += done;
  }
  return true;
}

ATOLL_NOT_INSTRUMENTED bool page_exchange::map(const data_piece& piece) noexcept {
  const auto bytes = static_cast<std::size_t>(piece.end - piece.begin);
  const long address =
      syscall(SYS_mmap, piece.begin, bytes, piece.protection,
              MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_, place_ + (piece.begin - first_));
  if (address == -1) refused_ = {"mmap", bytes, errno};
  return address != -1;
}

ATOLL_NOT_INSTRUMENTED bool page_exchange::holds_anything(const data_piece& piece,
                                                          const std::byte* page) noexcept {
  return (!piece.is_anonymous || is_touched(piece, page)) && !is_zero(page, page_size_);
}

ATOLL_NOT_INSTRUMENTED bool page_exchange::is_touched(const data_piece& piece,
                                                      const std::byte* page) noexcept {
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(page) / page_size_;
  if (number - first_entry_ >= entries_known_)
    read_entries(number, static_cast<std::size_t>(piece.end - page) / page_size_);
  return (entries_[number - first_entry_] & in_memory_or_swapped_out) != 0;
}

ATOLL_NOT_INSTRUMENTED void page_exchange::read_entries(std::uintptr_t number,
                                                        std::size_t most) noexcept {
  first_entry_ = number;
  entries_known_ = most < most_entries ? most : most_entries;
  const std::size_t bytes = entries_known_ * sizeof *entries_;
  const long got = syscall(SYS_pread64, pagemap_, entries_, bytes, number * sizeof *entries_);
  if (got == static_cast<long>(bytes)) return;
  for (std::size_t i = 0; i < entries_known_; ++i) entries_[i] = in_memory_or_swapped_out;
}

}  // namespace atl::shmem
