#pragma once
// This file describes a part: a rectangle of one field of an instance (a distributed array over a
// rectangle). The description states which PEs have the blocks of the rectangle, and how elements
// lie in the blocks. A part has the same description on all PEs.

#include "atoll/event/name.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/region/block_grid.hpp"
#include "atoll/region/instance_table.hpp"
#include "atoll/region/strided.hpp"
#include "atoll/transport/transport.hpp"

#include <utility>

namespace atl::regions {

/// The layout of one field of an instance. The offset of an element is the sum of three terms: the
/// offset of its block, `begin`, and the sum of index times stride over all dimensions. The stride
/// in the last dimension is `step` bytes.
template <std::size_t N>
struct field_layout {
  events::name instance;
  block_grid<N> grid;
  std::uint64_t block_bytes = 0;  ///< size of a block in bytes, including all fields
  std::uint64_t begin = 0;        ///< offset of the field in each block
  std::uint64_t step = 0;         ///< bytes between neighbours in the last dimension
  placement memory = placement::owner_only;

  /// Returns the only PE whose instance table contains the instance. Returns `block_grid::k_all` if
  /// the instance tables of all PEs contain the instance.
  std::int32_t known_to() const {
    return memory == placement::symmetric ? block_grid<N>::k_all : grid.owner;
  }

  /// Returns the distance in bytes of neighbouring elements, for each dimension.
  point<N> steps() const {
    point<N> bytes{};
    std::uint64_t next = step;
    for (std::size_t axis = N; axis-- > 0; next *= static_cast<std::uint64_t>(grid.block[axis]))
      bytes[axis] = static_cast<std::int64_t>(next);
    return bytes;
  }

  /// Returns the offset of an element in the memory of the PE that owns its block.
  std::uint64_t place_of(const point<N>& block, const point<N>& element) const {
    const point<N> within = difference_of(element, grid.points_of(block).low), bytes = steps();
    std::uint64_t place = grid.place_of(block) * block_bytes + begin;
    for (std::size_t axis = 0; axis < N; ++axis)
      place += static_cast<std::uint64_t>(within[axis]) * static_cast<std::uint64_t>(bytes[axis]);
    return place;
  }
};

/// A rectangular part of one field of an instance, without the element type. Coordinates in the
/// part begin with 0 at its lowest corner. The part may have another order of dimensions than the
/// instance: `axes` maps each dimension of the part to a dimension of the instance.
template <std::size_t N>
struct field_part {
  field_layout<N> field;
  rectangle<N> points;  ///< the rectangle in coordinates of the instance
  std::array<std::uint8_t, N> axes{};

  point<N> extents() const {
    point<N> own{};
    for (std::size_t axis = 0; axis < N; ++axis) own[axis] = points.extent(axes[axis]);
    return own;
  }

  rectangle<N> in_instance(const rectangle<N>& own) const {
    rectangle<N> there;
    for (std::size_t axis = 0; axis < N; ++axis) {
      there.low[axes[axis]] = points.low[axes[axis]] + own.low[axis];
      there.high[axes[axis]] = points.low[axes[axis]] + own.high[axis];
    }
    return there;
  }
  rectangle<N> in_part(const rectangle<N>& there) const {
    rectangle<N> own;
    for (std::size_t axis = 0; axis < N; ++axis) {
      own.low[axis] = there.low[axes[axis]] - points.low[axes[axis]];
      own.high[axis] = there.high[axes[axis]] - points.low[axes[axis]];
    }
    return own;
  }

  /// Calls `visit(points)` for each block that contains some of the points `own`. `points` is the
  /// intersection of the block and `own`, in coordinates of the part.
  template <class Visit>
  void for_each_block(const rectangle<N>& own, const Visit& visit) const {
    const rectangle<N> there = in_instance(own);
    for_each_point(field.grid.blocks_of(there), [&](const point<N>& block) {
      visit(in_part(intersection(field.grid.points_of(block), there)));
    });
  }

  /// Returns the block that contains the points `own`, which must all lie in one block.
  point<N> block_of(const rectangle<N>& own) const {
    return field.grid.blocks_of(in_instance(own)).low;
  }
  int owner_of(const rectangle<N>& own) const { return field.grid.owner_of(block_of(own)); }

  /// Returns the offset of the first of the points `own` in the memory of their owner. All points
  /// must lie in one block.
  std::uint64_t place_of(const rectangle<N>& own) const {
    return field.place_of(block_of(own), in_instance(own).low);
  }
  /// Returns the distance in bytes of neighbouring elements, for each dimension of the part.
  std::array<std::int64_t, 3> steps() const {
    std::array<std::int64_t, 3> own{};
    const point<N> bytes = field.steps();
    for (std::size_t axis = 0; axis < N; ++axis) own[axis] = bytes[axes[axis]];
    return own;
  }
  strided in_memory(const rectangle<N>& own, std::byte* memory) const {
    return {memory + place_of(own), steps()};
  }
};

/// Returns the extents of a rectangle as three numbers. If the rectangle has fewer than three
/// dimensions, the missing extents are 1.
template <std::size_t N>
extents all_extents(const rectangle<N>& points) {
  extents all{1, 1, 1};
  for (std::size_t axis = 0; axis < N; ++axis) all[axis] = points.extent(axis);
  return all;
}

/// Returns true if the two PEs are on one node.
bool share_memory(int a, int b);

/// Returns true if this PE can access the field's memory on PE `owner` by loads and stores.
template <std::size_t N>
bool is_within_reach(const field_layout<N>& field, int owner) {
  if (owner == my_pe()) return true;
  return field.memory == placement::symmetric && share_memory(owner, my_pe()) &&
         this_pe().transport->segment(owner) != nullptr;
}

[[noreturn]] void refuse_several_blocks(site where);
[[noreturn]] void refuse_distant_memory(int owner, site where);

/// Returns the address of the first point of the part. Throws atl::error (input) if this PE cannot
/// access the memory directly, or if the points do not all lie in one block.
template <std::size_t N>
std::byte* address_of(const field_part<N>& part, site where) {
  const rectangle<N> own = rectangle_of(part.extents());
  if (part.field.grid.blocks_of(part.points).volume() != 1) refuse_several_blocks(where);
  const int owner = part.owner_of(own);
  if (!is_within_reach(part.field, owner)) refuse_distant_memory(owner, where);
  return instance_table::here().memory_of(part.field.instance, owner, where) + part.place_of(own);
}

}  // namespace atl::regions

namespace atl {
namespace regions {

/// Throws atl::error (input), because the points from `low` to `high` do not all lie between
/// `lowest` and `highest`.
[[noreturn]] void refuse_points(const extents& low, const extents& high, const extents& lowest,
                                const extents& highest, std::size_t dimensions);

template <std::size_t N>
extents padded(const point<N>& p) {
  extents all{};
  std::copy(p.begin(), p.end(), all.begin());
  return all;
}

template <std::size_t N>
void check_points(const rectangle<N>& points, const rectangle<N>& within) {
  if (!within.contains(points)) [[unlikely]]
    refuse_points(padded(points.low), padded(points.high), padded(within.low), padded(within.high),
                  N);
}

}  // namespace regions

/// A rectangle of the elements of one field of an instance. The object is trivially copyable and
/// can be sent. Coordinates in the part begin with 0 at its lowest corner.
template <class T, std::size_t N>
class region_part {
 public:
  explicit region_part(const regions::field_part<N>& described) : described_(described) {}

  point<N> extents() const { return described_.extents(); }

  /// Returns the smaller part that consists of the points `own` of this part. Throws atl::error
  /// (input) if a point of `own` is not in this part.
  region_part cut(const rectangle<N>& own) const {
    regions::check_points(own, rectangle_of(extents()));
    region_part smaller = *this;
    smaller.described_.points = described_.in_instance(own);
    return smaller;
  }

  /// Returns a part with the same elements, in which the dimensions `a` and `b` are exchanged.
  region_part transposed(std::size_t a = N - 2, std::size_t b = N - 1) const
    requires(N > 1)
  {
    ATOLL_ASSERT(a < N && b < N, "only dimensions that there are can be exchanged");
    region_part other = *this;
    std::swap(other.described_.axes[a], other.described_.axes[b]);
    return other;
  }

  const regions::field_part<N>& described() const { return described_; }

 private:
  regions::field_part<N> described_;
};

}  // namespace atl
