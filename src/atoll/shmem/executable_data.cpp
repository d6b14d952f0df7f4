#include "atoll/shmem/executable_data.hpp"

#include "atoll/shmem/mapped_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::shmem {
namespace {

// Linkers differ: one writable segment that begins with what becomes read-only (ld.bfd, gold), one
// for that and one for the data (lld, mold), another one for large data (-mcmodel=medium).
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
        return 1;  // the first object is the executable
      },
      &found);
  return found;
}

void add_common_pages(std::vector<data_piece>& pieces, const address_range& segment,
                      const mapped_range& mapped) {
  // Two segments may name one page, which is mapped for the later one.
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
