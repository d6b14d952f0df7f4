#pragma once

#include "atoll/memory/heap.hpp"
#include "atoll/region/block_grid.hpp"

namespace atl {
namespace regions {

/// Throws atl::error (input): there is no such PE.
void check_pe(int pe);

}  // namespace regions

/// How the fields of an instance lie in each of its blocks.
enum class field_order : std::uint8_t {
  structure_of_arrays,  ///< all elements of a field side by side
  array_of_structures   ///< all fields of an element side by side
};

/// Where an instance lies. By default on the PE that makes it.
class instance_placement {
 public:
  instance_placement() : owner_(my_pe()) {}

  /// In the private memory of one PE. Throws atl::error (input) where there is no such PE.
  static instance_placement on(int pe) {
    regions::check_pe(pe);
    return dealt_to(pe);
  }
  /// In symmetric memory of one PE, which all PEs of its node address. It takes as much address
  /// space of every PE.
  static instance_placement in_node_memory_of(int pe) {
    instance_placement chosen = on(pe);
    chosen.memory_ = placement::symmetric;
    return chosen;
  }
  /// A block of rows for each PE: equal parts of the first dimension.
  static instance_placement spread() { return dealt_to(regions::block_grid<1>::k_all); }
  /// In blocks of these extents, dealt to the PEs one after the other. Throws atl::error (input)
  /// where one is negative.
  template <std::size_t N>
  static instance_placement in_blocks(const point<N>& block) {
    for (const std::int64_t extent : block) regions::check_block(extent, 0);
    instance_placement chosen = spread();
    std::copy(block.begin(), block.end(), chosen.block_.begin());
    return chosen;
  }

  instance_placement with(field_order order) const {
    instance_placement chosen = *this;
    chosen.order_ = order;
    return chosen;
  }

  placement memory() const { return memory_; }
  field_order order() const { return order_; }

  template <std::size_t N>
  regions::block_grid<N> grid_of(const rectangle<N>& bounds) const {
    regions::block_grid<N> grid{bounds, {}, owner_};
    const bool is_spread = owner_ == regions::block_grid<N>::k_all;
    for (std::size_t axis = 0; axis < N; ++axis) {
      const std::int64_t extent = bounds.extent(axis);
      grid.block[axis] = block_[axis] != 0 ? std::min(block_[axis], extent) : extent;
      if (is_spread && axis == 0 && block_[0] == 0)
        grid.block[0] = regions::blocks_in(extent, pes());
      grid.block[axis] = std::max<std::int64_t>(1, grid.block[axis]);
    }
    return grid;
  }

 private:
  static instance_placement dealt_to(std::int32_t owner) {
    instance_placement chosen;
    chosen.owner_ = owner;
    return chosen;
  }

  std::array<std::int64_t, 3> block_{};  // 0: as it comes
  std::int32_t owner_;
  placement memory_ = placement::owner_only;
  field_order order_ = field_order::structure_of_arrays;
};

}  // namespace atl
