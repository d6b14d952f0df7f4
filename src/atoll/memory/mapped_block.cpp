#include "atoll/memory/mapped_block.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/pages_and_lines.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>

namespace atl::memory {

offset_allocator::offset_allocator(std::uint64_t begin, std::uint64_t end,
                                   std::uint64_t large_begin)
    : large_begin_(large_begin) {
  free_[begin] = end - begin;
}

std::optional<std::uint64_t> offset_allocator::allocate(std::uint64_t bytes) {
  const bool is_large = bytes >= k_huge_page;
  const std::uint64_t step = is_large ? k_huge_page : unit;
  const std::uint64_t earliest = is_large ? large_begin_ : 0;
  const std::uint64_t length = round_up(bytes == 0 ? 1 : bytes, unit);
  for (auto gap = free_.begin(); gap != free_.end(); ++gap) {
    const auto [begin, available] = *gap;
    const std::uint64_t offset = round_up(std::max(begin, earliest), step);
    if (offset - begin > available || available - (offset - begin) < length) continue;
    free_.erase(gap);
    if (offset > begin) free_[begin] = offset - begin;
    const std::uint64_t end = begin + available;
    if (end > offset + length) free_[offset + length] = end - (offset + length);
    taken_[offset] = length;
    return offset;
  }
  return std::nullopt;
}

std::uint64_t offset_allocator::release(std::uint64_t offset) {
  const auto range = taken_.find(offset);
  ATOLL_ASSERT(range != taken_.end(), "only what was allocated can be released, once");
  const std::uint64_t length = range->second;
  taken_.erase(range);
  auto gap = free_.emplace(offset, length).first;
  if (const auto next = std::next(gap);
      next != free_.end() && next->first == offset + gap->second) {
    gap->second += next->second;
    free_.erase(next);
  }
  if (gap != free_.begin()) {
    const auto previous = std::prev(gap);
    if (previous->first + previous->second == offset) {
      previous->second += gap->second;
      free_.erase(gap);
    }
  }
  return length;
}

std::uint64_t block_space::take(std::uint64_t bytes) {
  const std::uint64_t whole = round_up(bytes, offset_allocator::unit);
  account_->charge_data(whole, "a part of an exchange");
  if (const auto offset = free_.allocate(whole)) {
    // The allocator prefers low offsets, so the allocated range probably lies in memory that was
    // kept for reuse.
    kept_ -= std::min(kept_, whole);
    return *offset;
  }
  account_->release_data(whole);
  fail(errc::out_of_memory,
       "out of memory: no gap of {} is left in the memory that PEs of a node share{}",
       human_bytes(bytes), memory_limits_text());
}

void block_space::give_back(std::uint64_t offset) noexcept {
  if (segment_ == nullptr) return;
  const std::uint64_t bytes = free_.release(offset);
  account_->release_data(bytes);
  if (bytes <= most_kept_ - kept_) {
    kept_ += bytes;
    return;
  }
  const std::uint64_t begin = round_up(offset, k_page);
  const std::uint64_t end = (offset + bytes) / k_page * k_page;
  // If `madvise` fails, the memory stays allocated, and later blocks use it.
  if (begin < end) (void)madvise(at(begin), end - begin, MADV_REMOVE);
}

}  // namespace atl::memory
