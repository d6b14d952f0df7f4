#pragma once
// Region instances: arrays of one or several fields over a rectangle, in memory that the program
// chooses, made and destroyed by deferred operations. (Treichler, Bauer and Aiken: Realm, PACT
// 2014.)

#include "atoll/base/bits.hpp"
#include "atoll/event/event.hpp"
#include "atoll/region/accessor.hpp"
#include "atoll/region/placement.hpp"

#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace atl {
namespace regions {

/// The memory of an instance on each of its PEs.
struct needed_memory {
  std::uint64_t bytes = 0;
  std::int32_t owner = 0;  ///< -1: all PEs
  placement memory = placement::owner_only;

  /// What each PE is charged with: its share, where one of them has all of it.
  std::uint64_t charged() const {
    return owner < 0 ? bytes : ceil_divide(bytes, static_cast<std::uint64_t>(pes()));
  }

  /// It is the private memory of one PE, which needs nobody else for it.
  bool is_own() const { return owner >= 0 && memory == placement::owner_only; }
};

/// More than any PE has stands for all numbers beyond.
std::uint64_t bytes_of(std::uint64_t blocks, std::uint64_t block_bytes);

/// Its event, which is its name.
event make_when(event precondition, needed_memory needed, site where);
event destroy_when(event precondition, events::name instance, needed_memory needed, site where);

/// Bytes of a block of `volume` elements, its fields one after the other or beside each other, and
/// where field `which` is.
struct record_layout {
  std::uint64_t block_bytes = 0;
  std::uint64_t begin = 0;
  std::uint64_t step = 0;
};
record_layout lay_out(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> aligns,
                      std::size_t which, field_order order, std::uint64_t volume);

}  // namespace regions

/// An array of `Fields` over a rectangle of N dimensions. A plain value, which travels; the memory
/// is there when `ready()` has triggered. The last dimension runs fastest. Memory is zero at first.
///
/// An instance that an operation was writing into when it failed is poisoned: what asks for its
/// elements then fails with the same error.
template <std::size_t N, class... Fields>
class region_instance {
  static_assert((message::travels<Fields> && ...), "fields are trivially copyable");

 public:
  template <std::size_t Which>
  using field_type = std::tuple_element_t<Which, std::tuple<Fields...>>;

  region_instance() = default;

  const rectangle<N>& bounds() const { return grid_.bounds; }

  /// Triggers when it can be used; fails with atl::error (out_of_memory).
  event ready() const { return made_; }

  /// All elements of a field, or those of a rectangle. Throws atl::error (input) where there are
  /// none such. Does not communicate, as all that follows.
  template <std::size_t Which = 0>
  region_part<field_type<Which>, N> part() const {
    return part<Which>(bounds());
  }
  template <std::size_t Which = 0>
  region_part<field_type<Which>, N> part(const rectangle<N>& points) const {
    regions::check_points(points, bounds());
    regions::field_part<N> described{layout_of(Which), points};
    std::iota(described.axes.begin(), described.axes.end(), std::uint8_t{0});
    return region_part<field_type<Which>, N>(described);
  }

  /// The blocks of this PE, in the order in which they lie there.
  std::vector<rectangle<N>> local_blocks() const {
    std::vector<rectangle<N>> mine;
    regions::for_each_point(rectangle_of(grid_.blocks()), [&](const point<N>& which) {
      if (grid_.owner_of(which) == my_pe()) mine.push_back(grid_.points_of(which));
    });
    return mine;
  }

  /// The elements of a field in the block where `points` are, which this PE owns or can address as
  /// memory of its node. Throws atl::error (input) where it can not, or the instance is not there,
  /// and what it is poisoned with.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(const rectangle<N>& points,
                                        site where = site::current()) const {
    const auto described = part<Which>(points).described();
    return {regions::address_of(described, where), described.field.steps(), points};
  }
  /// The same of an instance in one block.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(site where = site::current()) const {
    return access<Which>(bounds(), where);
  }

  /// Gives its memory back when `precondition` has triggered. The event triggers when that is done.
  /// Once; nothing may use it any more. Does not wait. Throws atl::error (out_of_memory).
  [[nodiscard]] event destroy(event precondition = event::none,
                              site where = site::current()) const {
    return regions::destroy_when(precondition, made_.name(), needed(), where);
  }

 private:
  template <class... Others, std::size_t M>
  friend region_instance<M, Others...> make_instance(const rectangle<M>& bounds,
                                                     const instance_placement& where_it_lies,
                                                     event precondition, site where);

  regions::field_layout<N> layout_of(std::size_t which) const {
    constexpr std::uint32_t sizes[] = {sizeof(Fields)...}, aligns[] = {alignof(Fields)...};
    const auto laid = regions::lay_out(sizes, aligns, which, order_, grid_.block_volume());
    return {made_.name(), grid_, laid.block_bytes, laid.begin, laid.step, memory_};
  }
  regions::needed_memory needed() const {
    return {regions::bytes_of(grid_.blocks_a_pe(), layout_of(0).block_bytes), grid_.owner, memory_};
  }

  event made_;
  regions::block_grid<N> grid_;
  placement memory_ = placement::owner_only;
  field_order order_ = field_order::structure_of_arrays;
};

/// Makes an instance of these fields, when `precondition` has triggered: `make_instance<double>(
/// rectangle_of<2>({n, n}))`. By default all of it lies on this PE. One task of one PE; it does not
/// wait. Throws atl::error (out_of_memory).
template <class... Fields, std::size_t N>
[[nodiscard]] region_instance<N, Fields...>
make_instance(const rectangle<N>& bounds, const instance_placement& where_it_lies = {},
              event precondition = event::none, site where = site::current()) {
  region_instance<N, Fields...> made;
  made.grid_ = where_it_lies.grid_of(bounds);
  made.memory_ = where_it_lies.memory();
  made.order_ = where_it_lies.order();
  made.made_ = regions::make_when(precondition, made.needed(), where);
  return made;
}

}  // namespace atl
