#include "atoll/transport/shm/segments.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/machine.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace atl::transport::shm {
namespace {

constexpr std::uint64_t smallest_segment = largest_alignment;
constexpr std::uint64_t smallest_private = 4 * std::uint64_t{huge_page_size};
constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// Bytes of address space per byte of the job's memory limit. A PE needs more address space than
/// memory, because freed arrays leave gaps between the other arrays.
constexpr std::uint64_t room_for_gaps = 4;

std::uint64_t round_down(std::uint64_t bytes, std::uint64_t unit) { return bytes / unit * unit; }

/// Returns how many bytes of memory a PE may need. The result does not take the limits of the
/// process into account.
std::uint64_t memory_of_pe(std::uint64_t pes, const address_needs& needs) {
  if (needs.limit == 0 || needs.limit / pes >= needs.memory / room_for_gaps) return needs.memory;
  return room_for_gaps * (needs.limit / pes);
}

}  // namespace

address_needs needs_of(const settings& settings) {
  return {read_memory_status().usable(), settings.memory_limit, read_address_space_left()};
}

address_shares shares_of(int pes, bool are_together, const address_needs& needs) {
  const auto all = static_cast<std::uint64_t>(pes);
  const std::uint64_t in_process = are_together ? all : 1;
  const std::uint64_t memory = memory_of_pe(all, needs);
  const std::uint64_t segment = std::min({round_up(2 * memory, largest_alignment),
                                          round_up(usable_address_space / all, largest_alignment),
                                          round_down(needs.left.all / 4 / all, largest_alignment)});
  const std::uint64_t own =
      std::min({round_up(memory, gib), usable_address_space / 4 / in_process,
                needs.left.all / 4 / in_process, needs.left.writable / 4 / in_process});
  return {std::max(segment, smallest_segment),
          std::max(round_down(own, huge_page_size), smallest_private)};
}

bool halve(address_shares& shares) {
  const address_shares before = shares;
  shares.segment_bytes =
      std::max(round_up(shares.segment_bytes / 2, largest_alignment), smallest_segment);
  shares.private_bytes =
      std::max(round_down(shares.private_bytes / 2, huge_page_size), smallest_private);
  return shares != before;
}

namespace {

constexpr const char* purpose = "symmetric segments";

bool can_map(std::uint64_t bytes, int protection) {
  void* const tried =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return tried != MAP_FAILED && munmap(tried, bytes) == 0;
}

/// Returns true if enough address space is left for the private memory of a PE, and for stacks and
/// buffers. The PE reserves its private memory later (memory/heap.cpp).
bool leaves_room_for_a_pe(std::uint64_t private_bytes) {
  constexpr std::uint64_t most_beside = std::uint64_t{3} << 30;
  const std::uint64_t beside = std::min(most_beside, read_address_space_left().all / 4);
  return can_map(private_bytes, PROT_READ | PROT_WRITE) &&
         can_map(private_bytes + beside, PROT_NONE);
}

/// Maps the segments of `pes` PEs. Returns null if the kernel refuses, or if too little address
/// space would be left for the private memory of a PE.
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
