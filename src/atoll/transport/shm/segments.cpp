#include "atoll/transport/shm/segments.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace atl::transport::shm {
namespace {

constexpr const char* purpose = "symmetric segments";

bool can_map(std::uint64_t bytes, int protection) {
  void* const tried =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return tried != MAP_FAILED && munmap(tried, bytes) == 0;
}

/// What a PE reserves later for memory of its own (memory/heap.cpp), and beside it for stacks and
/// buffers.
bool leaves_room_for_a_pe(std::uint64_t private_bytes) {
  constexpr std::uint64_t most_beside = std::uint64_t{3} << 30;
  const std::uint64_t beside = std::min(most_beside, read_address_space_left().all / 4);
  return can_map(private_bytes, PROT_READ | PROT_WRITE) &&
         can_map(private_bytes + beside, PROT_NONE);
}

/// Null when there is no room for them, or none beside them.
std::unique_ptr<mapping> try_to_map(std::size_t pes, const address_shares& shares) {
  try {
    auto memory = std::make_unique<mapping>(shares.segment_bytes * pes, purpose);
    if (leaves_room_for_a_pe(shares.private_bytes)) return memory;
  } catch (const error&) {
    return nullptr;
  }
  return nullptr;
}

}  // namespace

segments::segments(int pes, bool huge_pages, address_shares shares)
    : pes_(static_cast<std::size_t>(pes)), shares_(shares), memory_(try_to_map(pes_, shares_)) {
  while (memory_ == nullptr && halve(shares_)) memory_ = try_to_map(pes_, shares_);
  if (memory_ == nullptr)
    memory_ = std::make_unique<mapping>(shares_.segment_bytes * pes_, purpose);
  divide(huge_pages);
}

segments::segments(int pes, bool huge_pages, address_shares shares, int descriptor)
    : pes_(static_cast<std::size_t>(pes)),
      shares_(shares),
      memory_(std::make_unique<mapping>(descriptor, shares.segment_bytes * pes_, purpose)) {
  divide(huge_pages);
}

void segments::divide(bool huge_pages) {
  if (huge_pages) madvise(memory_->data(), memory_->size(), MADV_HUGEPAGE);
  for (std::size_t pe = 0; pe < pes_; ++pe)
    bases_.push_back(memory_->data() + pe * shares_.segment_bytes);
}

}  // namespace atl::transport::shm
