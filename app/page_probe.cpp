#include "app/page_probe.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::app {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

class mapping {
 public:
  mapping(std::size_t bytes, int flags, int file)
      : bytes_(bytes), start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0)) {}
  ~mapping() {
    if (valid()) munmap(start_, bytes_);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  bool valid() const { return start_ != MAP_FAILED; }

  // The first whole huge page within the mapping, written to after asking for a huge page.
  std::uintptr_t touched_huge_page() const {
    const auto start = reinterpret_cast<std::uintptr_t>(start_);
    const auto aligned = (start + huge_page - 1) / huge_page * huge_page;
    madvise(start_, bytes_, MADV_HUGEPAGE);
    *reinterpret_cast<volatile char*>(aligned) = 1;
    return aligned;
  }

 private:
  std::size_t bytes_;
  void* start_;
};

// A line such as "AnonHugePages:      2048 kB" of the mapping that holds the address.
bool has_huge_page(std::uintptr_t address, const char* key) {
  std::ifstream file("/proc/self/smaps");
  bool inside = false;
  const std::string pattern = std::string(key) + ": %lu kB";
  for (std::string line; std::getline(file, line);) {
    unsigned long first = 0, second = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &second) == 2)
      inside = first <= address && address < second;
    else if (inside && line.starts_with(key))
      return std::sscanf(line.c_str(), pattern.c_str(), &first) == 1 && first > 0;
  }
  return false;
}

bool probe_private() {
  const mapping memory(2 * huge_page, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return memory.valid() && has_huge_page(memory.touched_huge_page(), "AnonHugePages");
}

void probe_shared(page_probe& result) {
  const int file = memfd_create("atoll-doctor", MFD_CLOEXEC);
  if (file < 0) return;
  if (ftruncate(file, off_t(2 * huge_page)) == 0) {
    const mapping memory(2 * huge_page, MAP_SHARED, file);
    result.shared_works = memory.valid();
    if (memory.valid())
      result.shared_huge = has_huge_page(memory.touched_huge_page(), "ShmemPmdMapped");
  }
  close(file);
}

bool probe_reservation() {
  return mapping(std::size_t{64} << 30, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1).valid();
}

}  // namespace

page_probe probe_pages() {
  page_probe result;
  result.private_huge = probe_private();
  probe_shared(result);
  result.reserves_late = probe_reservation();
  return result;
}

}  // namespace atl::app
