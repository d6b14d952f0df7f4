#include "atoll/transport/shm/segments.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/error.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

constexpr std::uint64_t smallest_segment = largest_alignment;
/// A thread sanitizer leaves little more than this for mappings; without one there is 64 times
/// more.
#ifdef ATOLL_SANITIZED
constexpr std::uint64_t address_space = std::uint64_t{1} << 40;
#else
constexpr std::uint64_t address_space = std::uint64_t{1} << 46;
#endif

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

segments::segments(int pes, bool huge_pages)
    : bytes_each_(
          round_up(std::min(2 * physical_memory(), address_space / static_cast<unsigned>(pes)),
                   largest_alignment)) {
  while (memory_ == nullptr) {
    try {
      memory_ =
          std::make_unique<mapping>(bytes_each_ * static_cast<unsigned>(pes), "symmetric segments");
    } catch (const error&) {
      if (bytes_each_ <= smallest_segment) throw;
      bytes_each_ = round_up(bytes_each_ / 2, largest_alignment);
    }
  }
  divide(pes, huge_pages);
}

segments::segments(int pes, bool huge_pages, const foreign_memory& other, std::uint64_t bytes_each)
    : bytes_each_(bytes_each),
      memory_(std::make_unique<mapping>(other, bytes_each * static_cast<unsigned>(pes),
                                        "symmetric segments")) {
  divide(pes, huge_pages);
}

void segments::divide(int pes, bool huge_pages) {
  if (huge_pages) madvise(memory_->data(), memory_->size(), MADV_HUGEPAGE);
  for (int pe = 0; pe < pes; ++pe)
    bases_.push_back(memory_->data() + static_cast<std::uint64_t>(pe) * bytes_each_);
}

}  // namespace atl::transport::shm
