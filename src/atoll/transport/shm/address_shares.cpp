#include "atoll/transport/shm/address_shares.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/machine.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <algorithm>

namespace atl::transport::shm {
namespace {

constexpr std::uint64_t smallest_segment = largest_alignment;
constexpr std::uint64_t smallest_private = 4 * std::uint64_t{huge_page_size};
constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// Of address space of one process, by which arrays may be larger than what the job may use:
/// between those that were given back there are gaps.
constexpr std::uint64_t room_for_gaps = 4;

std::uint64_t round_down(std::uint64_t bytes, std::uint64_t unit) { return bytes / unit * unit; }

/// What a PE has room for, whatever the limits of its process.
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

}  // namespace atl::transport::shm
