#include "atoll/container/ledger.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <numeric>

namespace atl::container {
namespace {

constexpr std::uint64_t k_segment_bytes = std::uint64_t{1} << 20;

/// Returns the distance between the PEs that own consecutive blocks. Consecutive blocks are often
/// used at the same time, so they should lie on different nodes: the PEs of a node share one
/// network link.
std::uint64_t stride_for(std::uint64_t pes) {
  std::uint64_t stride = std::max<std::uint64_t>(1, pes * 5 / 8);
  while (std::gcd(stride, pes) != 1) --stride;
  return stride;
}

}  // namespace

ledger::ledger(discipline order, cell_geometry geometry)
    : order_(order),
      geometry_(geometry),
      pes_(static_cast<std::uint64_t>(pes())),
      stride_(stride_for(pes_)),
      rows_(std::max<std::uint64_t>(1, k_segment_bytes / geometry.block_bytes())) {}

std::uint64_t ledger::segment_bytes() const { return rows_ * geometry_.block_bytes(); }

std::vector<std::uint64_t> ledger::segments() const {
  std::vector<std::uint64_t> offsets;
  for (const auto& one : segments_) offsets.push_back(one.offset);
  for (const auto& one : spare_) offsets.push_back(one.offset);
  return offsets;
}

void ledger::grow_to(std::uint64_t end) {
  while ((first_segment_ + segments_.size()) * segment_cells() < end) {
    if (spare_.empty()) {
      std::vector<std::uint32_t> next_tickets(segment_blocks());
      spare_.reserve(spare_.size() + segments_.size() + 1);
      const auto offset = this_pe().memory->allocate(segment_bytes(), placement::owner_only);
      spare_.push_back({offset, std::move(next_tickets)});
    }
    segments_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
}

void ledger::add_stretches(std::uint64_t first, std::uint64_t count, std::vector<stretch>& to) {
  const std::uint64_t end = first + count;
  while (first < end) {
    const std::uint64_t block = first / geometry_.block_cells;
    const auto within = static_cast<std::uint32_t>(first % geometry_.block_cells);
    const auto cells = std::min<std::uint64_t>(end - first, geometry_.block_cells - within);
    segment& holds = segments_[block / segment_blocks() - first_segment_];
    const std::uint64_t number = block % segment_blocks();
    to.push_back({holds.offset + number / pes_ * geometry_.block_bytes(), within,
                  static_cast<std::uint32_t>(cells), holds.next_tickets[number]++,
                  static_cast<std::int32_t>(number * stride_ % pes_)});
    first += cells;
  }
}

// Moves segments without elements to the spare segments, which will be reused. Transfers to the
// cells of a spare segment may still be in flight. When the segment is reused, later transfers have
// higher tickets, so the transfers in flight are executed first.
void ledger::retire() {
  while (!segments_.empty() && (first_segment_ + 1) * segment_cells() <= begin_) {
    spare_.push_back(std::move(segments_.front()));
    segments_.pop_front();
    ++first_segment_;
  }
}

reservation ledger::reserve(std::uint32_t pushes, std::uint32_t pops) {
  reservation made;
  grow_to(end_ + pushes);
  const auto blocks = [this](std::uint64_t cells) { return cells / geometry_.block_cells + 2; };
  made.stretches.reserve(blocks(pushes) + blocks(pops));
  add_stretches(end_, pushes, made.stretches);
  end_ += pushes;
  made.push_stretches = static_cast<std::uint32_t>(made.stretches.size());
  made.popped = static_cast<std::uint32_t>(std::min<std::uint64_t>(pops, size()));
  const bool newest = order_ == discipline::newest_first;
  add_stretches(newest ? end_ - made.popped : begin_, made.popped, made.stretches);
  if (mutants::has(mutants::fault::range_twice) && made.popped > 1) return made;
  (newest ? end_ : begin_) += newest ? -std::uint64_t{made.popped} : made.popped;
  retire();
  charge(work::line_touched, 2 * made.stretches.size());
  return made;
}

}  // namespace atl::container
