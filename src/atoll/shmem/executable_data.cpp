#include "atoll/shmem/executable_data.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fcntl.h>
#include <link.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace atl::shmem {
namespace {

// Parses a line of /proc/self/maps: "BEGIN-END rwxp OFFSET MAJOR:MINOR INODE PATH". The parser is
// written by hand for speed, because parsing takes much of the time of `mapped_below`.
class fields {
 public:
  explicit fields(std::string_view line) : rest_(line) {}

  /// Returns the text up to the next `separator`, and skips the text and the separator.
  std::string_view next(char separator) {
    const auto end = std::min(rest_.find(separator), rest_.size());
    const auto field = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return field;
  }

  std::uintptr_t next_address(char separator) {
    const auto field = next(separator);
    std::uintptr_t value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value, 16);
    return value;
  }

 private:
  std::string_view rest_;
};

mapped_range parse(std::string_view line) {
  fields of_line(line);
  mapped_range range{};
  range.pages.begin = of_line.next_address('-');
  range.pages.end = of_line.next_address(' ');
  const auto access = of_line.next(' ');
  range.is_private_and_writable = access.starts_with("rw") && access.ends_with('p');
  range.is_executable = access.find('x') != access.npos;
  of_line.next(' ');
  of_line.next(' ');
  range.is_anonymous = of_line.next(' ') == "0";
  return range;
}

// Reads /proc/self/maps in small portions. The kernel produces only the lines that are read, so
// reading only the first lines saves time.
class lines_of_maps {
 public:
  lines_of_maps() : file_(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0)
      fail(errc::environment, "static data cannot be found: open of /proc/self/maps failed: {}",
           refusal_text(errno, refused::file));
  }
  ~lines_of_maps() { close(file_); }
  lines_of_maps(const lines_of_maps&) = delete;
  lines_of_maps& operator=(const lines_of_maps&) = delete;

  std::optional<std::string> next() {
    std::size_t end = text_.find('\n');
    while (end == text_.npos) {
      if (!read_more()) return std::nullopt;
      end = text_.find('\n');
    }
    std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return line;
  }

 private:
  bool read_more() {
    std::array<char, 1024> part;
    const auto got = ::read(file_, part.data(), part.size());
    if (got > 0) text_.append(part.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  int file_;
  std::string text_;
};

}  // namespace

std::vector<mapped_range> mapped_below(std::uintptr_t end) {
  std::vector<mapped_range> found;
  lines_of_maps lines;
  while (const auto line = lines.next()) {
    const mapped_range range = parse(*line);
    if (range.pages.begin >= end) break;
    found.push_back(range);
  }
  return found;
}

namespace {

// Returns the writable segments of the executable. The linkers ld.bfd and gold make one writable
// segment, which begins with data that become read-only at the start. The linkers lld and mold make
// two writable segments. With -mcmodel=medium, large data have an additional segment.
std::vector<address_range> writable_segments() {
  std::vector<address_range> found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          const std::uintptr_t end = begin + segment.p_memsz;
          static_cast<std::vector<address_range>*>(result)->push_back(
              {begin & ~(page - 1), (end + page - 1) & ~(page - 1)});
        }
        return 1;  // the first object is the executable, so no other object is needed
      },
      &found);
  return found;
}

void add_common_pages(std::vector<data_piece>& pieces, const address_range& segment,
                      const mapped_range& mapped) {
  // Two segments may share a page, which the kernel maps for the later segment. A shared page must
  // not be added twice.
  const auto taken = pieces.empty() ? 0 : reinterpret_cast<std::uintptr_t>(pieces.back().end);
  const auto begin = std::max({segment.begin, mapped.pages.begin, taken});
  const auto end = std::min(segment.end, mapped.pages.end);
  if (begin >= end) return;
  const int executable = mapped.is_executable ? PROT_EXEC : 0;
  pieces.push_back({reinterpret_cast<std::byte*>(begin), reinterpret_cast<std::byte*>(end),
                    PROT_READ | PROT_WRITE | executable, mapped.is_anonymous});
}

}  // namespace

std::vector<data_piece> executable_data() {
  std::vector<data_piece> pieces;
  const auto segments = writable_segments();
  if (segments.empty()) return pieces;
  const auto mapped = mapped_below(segments.back().end);
  for (const auto& segment : segments)
    for (const auto& range : mapped)
      if (range.is_private_and_writable) add_common_pages(pieces, segment, range);
  return pieces;
}

}  // namespace atl::shmem

// The code that exchanges pages must not be instrumented by sanitizers. Sanitizers keep their state
// in the static data of the executable, and would change the state during the exchange of pages.
// Sanitizers would also report the accesses to bytes between variables. The code that exchanges
// pages calls no template of the standard library, because the linker may choose an instrumented
// instance from another file.
#ifdef __clang__
#define ATOLL_NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define ATOLL_NOT_INSTRUMENTED __attribute__((no_sanitize("address,thread,undefined")))
#endif

namespace atl::shmem {
namespace {

// In an entry of /proc/self/pagemap, one of these bits is set if the page is in memory or swapped
// out. If neither bit is set, the page was never touched, even if other bits of the entry are set.
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

// The file is written by a system call and not through a mapping. If memory is too short, the
// system call returns an error, whereas a store to a mapping would raise a signal.
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
