#include "atoll/memory/reached_block.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"

#include <sys/mman.h>

namespace atl::memory {
namespace {

// What is smaller keeps its memory, for the next block at its place.
constexpr std::uint64_t k_smallest_returned = std::uint64_t{1} << 20;
constexpr std::uint64_t k_segment_page = 4096;

}  // namespace

std::uint64_t block_space::take(std::uint64_t bytes) {
  const std::uint64_t whole = round_up(bytes, offset_allocator::unit);
  account_->charge_container(whole, "what another one sends");
  if (const auto offset = free_.allocate(whole)) return *offset;
  account_->release_container(whole);
  fail(errc::out_of_memory,
       "out of memory: no gap of {} is left in the memory that PEs of a node share",
       human_bytes(bytes));
}

void block_space::give_back(std::uint64_t offset) noexcept {
  if (segment_ == nullptr) return;
  const std::uint64_t bytes = free_.release(offset);
  account_->release_container(bytes);
  if (bytes < k_smallest_returned) return;
  const std::uint64_t begin = round_up(offset, k_segment_page);
  const std::uint64_t end = (offset + bytes) / k_segment_page * k_segment_page;
  // Where the system keeps it, it is used again.
  (void)madvise(at(begin), end - begin, MADV_REMOVE);
}

}  // namespace atl::memory
