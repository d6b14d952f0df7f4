#include "atoll/container/block_pool.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/memory_account.hpp"
#include "atoll/base/pe.hpp"

#include <algorithm>

namespace atl::container {

namespace {

constexpr std::size_t k_largest_chunk = k_huge_page;
// a new chunk has 1/k_part of the bytes that the pool holds, within limits
constexpr std::size_t k_part = 4;

constexpr std::uint64_t ones(std::uint32_t count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Returns a word whose set bits mark the positions in `bits` where at least `length` consecutive
/// ones begin.
std::uint64_t beginnings(std::uint64_t bits, std::uint32_t length) {
  for (std::uint32_t covered = 1; covered < length;) {
    const std::uint32_t more = std::min(covered, length - covered);
    bits &= bits >> more;
    covered += more;
  }
  return bits;
}

std::uint32_t longest_run(std::uint64_t bits) {
  std::uint32_t length = 0;
  for (; bits != 0; bits &= bits >> 1) ++length;
  return length;
}

}  // namespace

void block_pool::release::operator()(std::byte* memory) const noexcept {
  huge_page_allocator<std::byte>().deallocate(memory, bytes);
  if (current_pe != nullptr) current_pe->account->release_data(bytes);
}

block_pool::owned_memory block_pool::allocate(std::size_t bytes) {
  if (current_pe != nullptr) current_pe->account->charge_data(bytes);
  try {
    return {huge_page_allocator<std::byte>().allocate(bytes), release{bytes}};
  } catch (...) {
    if (current_pe != nullptr) current_pe->account->release_data(bytes);
    throw;
  }
}

std::byte* block_pool::take(std::uint32_t units) {
  if (units > k_units) {
    owned_memory own = allocate(units * unit_bytes_);
    bytes_ += units * unit_bytes_;
    return own.release();
  }
  const auto with_room = [&] { return lists_in_use_ >> (units - 1) << (units - 1); };
  if (with_room() == 0) add_chunk();
  const auto number = first_[static_cast<std::uint32_t>(std::countr_zero(with_room())) + 1];
  const segment& from = segments_[number];
  const auto at = static_cast<std::uint32_t>(std::countr_zero(beginnings(from.free, units)));
  std::byte* const run = from.begin + at * unit_bytes_;
  change_free(number, ones(units) << at);
  return run;
}

void block_pool::give_back(std::byte* run, std::uint32_t units) noexcept {
  if (units > k_units) {
    bytes_ -= units * unit_bytes_;
    return release{units * unit_bytes_}(run);
  }
  const std::uint32_t number = segment_of(run);
  const auto at = static_cast<std::size_t>(run - segments_[number].begin) / unit_bytes_;
  change_free(number, ones(units) << at);
}

void block_pool::add_chunk() {
  const std::size_t wanted =
      std::clamp(bytes_ / k_part, segment_bytes(), std::max(k_largest_chunk, segment_bytes()));
  const std::size_t count = wanted / segment_bytes();
  const std::size_t bytes = count * segment_bytes();
  const auto first = static_cast<std::uint32_t>(segments_.size());
  chunk made{allocate(bytes), first};
  std::byte* const begin = made.memory.get();
  chunks_.insert(std::ranges::upper_bound(chunks_, begin, std::less<>(), address), std::move(made));
  bytes_ += bytes;
  for (std::size_t i = 0; i < count; ++i) {
    segments_.push_back({begin + i * segment_bytes(), ones(k_units), k_units, 0, 0});
    enlist(first + static_cast<std::uint32_t>(i));
  }
}

std::uint32_t block_pool::segment_of(const std::byte* run) const {
  const chunk& in = *std::prev(std::ranges::upper_bound(chunks_, run, std::less<>(), address));
  const auto offset = static_cast<std::size_t>(run - in.memory.get());
  return in.first_segment + static_cast<std::uint32_t>(offset / segment_bytes());
}

void block_pool::change_free(std::uint32_t number, std::uint64_t units) noexcept {
  segment& changed = segments_[number];
  unlist(number);
  changed.free ^= units;
  changed.longest = longest_run(changed.free);
  enlist(number);
}

void block_pool::enlist(std::uint32_t number) noexcept {
  segment& added = segments_[number];
  std::uint32_t& first = first_[added.longest];
  added.before = k_none;
  added.after = first;
  if (first != k_none) segments_[first].before = number;
  first = number;
  if (added.longest != 0) lists_in_use_ |= std::uint64_t{1} << (added.longest - 1);
}

void block_pool::unlist(std::uint32_t number) noexcept {
  const segment& removed = segments_[number];
  if (removed.after != k_none) segments_[removed.after].before = removed.before;
  if (removed.before != k_none) {
    segments_[removed.before].after = removed.after;
    return;
  }
  first_[removed.longest] = removed.after;
  if (removed.after == k_none && removed.longest != 0)
    lists_in_use_ &= ~(std::uint64_t{1} << (removed.longest - 1));
}

}  // namespace atl::container
