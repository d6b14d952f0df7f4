#include "atoll/memory/reached_block.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/huge_page.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace atl::memory {

std::uint64_t block_space::take(std::uint64_t bytes) {
  const std::uint64_t whole = round_up(bytes, offset_allocator::unit);
  account_->charge_data(whole, "a part of an exchange");
  if (const auto offset = free_.allocate(whole)) {
    kept_ -= std::min(kept_, whole);  // the first that fits is likely to be one that was used
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
  // Where the system keeps it, it is used again.
  if (begin < end) (void)madvise(at(begin), end - begin, MADV_REMOVE);
}

}  // namespace atl::memory
