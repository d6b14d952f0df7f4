#pragma once
// This file maps the index of an element to the element's PE and place. The place of an element is
// an offset in the memory of its PE. The elements belong to a one-dimensional part of an instance
// (a distributed array). Loops that access elements in random order use this map, because a lookup
// is fast.

#include "atoll/base/bits.hpp"
#include "atoll/region/region_part.hpp"

#include <bit>

namespace atl::regions {

/// The place of an element. The offset of an element from the beginning of its field is `slot`
/// times `element_map::unit()` bytes. A 32-bit slot makes messages shorter than a 64-bit offset
/// would.
struct element_place {
  int pe;
  std::uint32_t slot;
};

/// Throws atl::error (input), because a part of `size` elements has no element `i`.
[[noreturn]] void refuse_element(std::uint64_t i, std::uint64_t size);

/// In debug builds, throws atl::error (input) if a part of `size` elements has no element `i`.
inline void check_element_in_debug([[maybe_unused]] std::uint64_t i,
                                   [[maybe_unused]] std::uint64_t size) {
#ifdef ATOLL_CHECKED
  if (i >= size) refuse_element(i, size);
#endif
}

class element_map {
 public:
  /// Throws atl::error (input) if a PE has so many elements of the part that 32 bits cannot number
  /// the slots.
  explicit element_map(const field_part<1>& part)
      : block_(static_cast<std::uint64_t>(part.field.grid.block[0])),
        pes_(part.field.grid.owner < 0 ? static_cast<std::uint64_t>(pes()) : 1),
        owner_(std::max(0, part.field.grid.owner)),
        first_(static_cast<std::uint64_t>(part.points.low[0] - part.field.grid.bounds.low[0])),
        size_(part.points.volume()),
        field_(part.field) {
    unit_ = std::uint64_t{1} << std::countr_zero(field_.block_bytes | field_.step);
    row_slots_ = field_.block_bytes / unit_;
    step_slots_ = field_.step / unit_;
    if (field_.grid.blocks_a_pe() * row_slots_ > std::uint64_t{1} << 32) refuse_many_slots();
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t unit() const { return unit_; }
  const field_layout<1>& field() const { return field_; }

  /// Returns the place of element `i`. In debug builds, throws atl::error (input) if element `i`
  /// does not exist.
  element_place operator[](std::uint64_t i) const {
    check_element_in_debug(i, size_);
    const auto [block, within] = block_.split(first_ + i);
    const auto [row, pe] = pes_.split(block);
    return {owner_ + static_cast<int>(pe),
            static_cast<std::uint32_t>(row * row_slots_ + within * step_slots_)};
  }

 private:
  [[noreturn]] static void refuse_many_slots();

  fast_divisor block_;
  fast_divisor pes_;  // number of PEs that have blocks
  int owner_;         // first PE that has blocks
  std::uint64_t first_;
  std::uint64_t size_;
  std::uint64_t unit_ = 1;
  std::uint64_t row_slots_ = 0;   // size of a block, in slots
  std::uint64_t step_slots_ = 0;  // distance from an element to the next, in slots
  field_layout<1> field_;
};

}  // namespace atl::regions
