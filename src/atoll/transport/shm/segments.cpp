#include "atoll/transport/shm/segments.hpp"

#include "atoll/base/address_space.hpp"
#include "atoll/base/bits.hpp"
#include "atoll/base/error.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

constexpr std::uint64_t smallest_segment = largest_alignment;

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// What a PE reserves later for memory of its own (memory/heap.cpp), stacks and buffers.
bool leaves_room_for_a_pe() {
  const std::uint64_t room = physical_memory() + (std::uint64_t{3} << 30);
  void* const tried =
      mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return tried != MAP_FAILED && munmap(tried, room) == 0;
}

/// Null when there is no room for them, or none beside them.
std::unique_ptr<mapping> try_to_map(std::uint64_t bytes) {
  try {
    auto memory = std::make_unique<mapping>(bytes, "symmetric segments");
    if (leaves_room_for_a_pe()) return memory;
  } catch (const error&) {
    return nullptr;
  }
  return nullptr;
}

}  // namespace

segments::segments(int pes, bool huge_pages)
    : bytes_each_(round_up(
          std::min(2 * physical_memory(), usable_address_space / static_cast<unsigned>(pes)),
          largest_alignment)) {
  while (bytes_each_ > smallest_segment && memory_ == nullptr) {
    memory_ = try_to_map(bytes_each_ * static_cast<unsigned>(pes));
    if (memory_ == nullptr) bytes_each_ = round_up(bytes_each_ / 2, largest_alignment);
  }
  if (memory_ == nullptr)
    memory_ =
        std::make_unique<mapping>(bytes_each_ * static_cast<unsigned>(pes), "symmetric segments");
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
