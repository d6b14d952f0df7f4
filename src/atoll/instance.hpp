#pragma once
// Region instances: arrays over a rectangle in memory that the program chooses. This header has
// their copies, fills and single elements, and partitions of index spaces. It also has reduction
// instances: many contributions to elements, kept as partial results, as a list, or as the cheaper
// of both.

#include "atoll/base/bits.hpp"
#include "atoll/deferred.hpp"
#include "atoll/delegates.hpp"
#include "atoll/event.hpp"
#include "atoll/index_space.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/reduction.hpp"
#include "atoll/region/block_grid.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/entry_lists.hpp"
#include "atoll/region/reduction_choice.hpp"
#include "atoll/region/region_part.hpp"
#include "atoll/region/transfer.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace atl {
namespace regions {

/// Throws atl::error (input) if there is no PE `pe`.
void check_pe(int pe);

}  // namespace regions

/// The layout of the fields of an instance in each of its blocks.
enum class field_order : std::uint8_t {
  structure_of_arrays,  ///< all elements of a field are contiguous
  array_of_structures   ///< all fields of an element are contiguous
};

/// The placement of an instance: its PEs, its memory and its layout. By default the instance lies
/// on the PE that makes this object.
class instance_placement {
 public:
  instance_placement() : owner_(my_pe()) {}

  /// Places the instance in the private memory of one PE. Throws atl::error (input) if there is no
  /// such PE.
  static instance_placement on(int pe) {
    regions::check_pe(pe);
    return dealt_to(pe);
  }
  /// Places the instance in the symmetric memory of one PE, where all PEs of its node can address
  /// it. The instance takes the same amount of address space on every PE. Throws atl::error (input)
  /// if there is no such PE.
  static instance_placement in_node_memory_of(int pe) {
    instance_placement chosen = on(pe);
    chosen.memory_ = placement::symmetric;
    return chosen;
  }
  /// Places one block of rows on each PE: equal parts of the first dimension.
  static instance_placement spread() { return dealt_to(regions::block_grid<1>::k_all); }
  /// Places the instance in blocks of these extents, which are dealt round-robin to the PEs. Throws
  /// atl::error (input) if an extent is negative.
  template <std::size_t N>
  static instance_placement in_blocks(const point<N>& block) {
    for (const std::int64_t extent : block) regions::check_block(extent, 0);
    instance_placement chosen = spread();
    std::copy(block.begin(), block.end(), chosen.block_.begin());
    return chosen;
  }

  /// Returns this placement with the layout `order`.
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

  std::array<std::int64_t, 3> block_{};  // 0: chosen by grid_of
  std::int32_t owner_;
  placement memory_ = placement::owner_only;
  field_order order_ = field_order::structure_of_arrays;
};

/// A view of the elements of one field, indexed by their coordinates, in memory that this PE can
/// address. The instance must exist as long as the view is used. Debug builds throw atl::error
/// (input) for elements outside of the view.
template <class T, std::size_t N>
class accessor {
 public:
  accessor(std::byte* lowest, const point<N>& steps, const rectangle<N>& points)
      : lowest_(lowest), steps_(steps), points_(points) {}

  const rectangle<N>& points() const { return points_; }

  T& operator[](const point<N>& element) const {
#ifdef ATOLL_CHECKED
    rectangle<N> one{element, element};
    for (auto& coordinate : one.high) ++coordinate;
    regions::check_points(one, points_);
#endif
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < N; ++axis)
      place += (element[axis] - points_.low[axis]) * steps_[axis];
    return *reinterpret_cast<T*>(lowest_ + place);
  }
  T& operator[](std::int64_t element) const
    requires(N == 1)
  {
    return (*this)[point<1>{element}];
  }

 private:
  std::byte* lowest_;
  point<N> steps_;
  rectangle<N> points_;
};

// Partitions of index spaces: by blocks, or by the colour of each point.

/// Divides `all` by blocks of the given extents, which begin at the lowest corner of its bounds.
/// Returns the points of `all` in each block, also empty sets, in the order of the blocks; the last
/// dimension runs fastest. Does not communicate. Throws atl::error (input) if an extent is not
/// positive.
template <std::size_t N>
std::vector<index_space<N>> partition_by_blocks(const index_space<N>& all, const point<N>& block) {
  for (const std::int64_t extent : block) regions::check_block(extent, 1);
  const regions::block_grid<N> grid{all.bounds(), block};
  std::vector<index_space<N>> parts;
  regions::for_each_point(rectangle_of(grid.blocks()), [&](const point<N>& which) {
    parts.push_back(all & index_space<N>(grid.points_of(which)));
  });
  return parts;
}

namespace regions {

/// Divides a rectangle by colour. `color_of` gets the coordinates of the remaining dimensions.
template <std::size_t N, class Color>
std::vector<index_space<N>> parts_by_color(const rectangle<N>& points, std::size_t colors,
                                           const Color& color_of) {
  std::vector<index_space<N>> parts(colors);
  for (std::int64_t at = points.low[0]; at < points.high[0]; ++at) {
    if constexpr (N == 1) {
      const auto color = static_cast<std::size_t>(color_of(point<1>{at}));
      if (color < colors) parts[color].append(at, at + 1, index_space<0>(true));
    } else {
      rectangle<N - 1> inner;
      std::copy(points.low.begin() + 1, points.low.end(), inner.low.begin());
      std::copy(points.high.begin() + 1, points.high.end(), inner.high.begin());
      const auto with_this = [&](const point<N - 1>& rest) {
        point<N> whole{at};
        std::copy(rest.begin(), rest.end(), whole.begin() + 1);
        return color_of(whole);
      };
      auto sections = parts_by_color(inner, colors, with_this);
      for (std::size_t color = 0; color < colors; ++color)
        parts[color].append(at, at + 1, std::move(sections[color]));
    }
  }
  return parts;
}

}  // namespace regions

/// Divides the points of `all` by `color_of(point)`, a number below `colors`. Points of other
/// colours are in no part. Calls `color_of` once per point. Does not communicate.
template <std::size_t N, class Color>
std::vector<index_space<N>> partition_by_color(const index_space<N>& all, std::size_t colors,
                                               const Color& color_of) {
  std::vector<index_space<N>> parts(colors);
  all.for_each_rectangle([&](const rectangle<N>& each) {
    const auto of_each = regions::parts_by_color(each, colors, color_of);
    for (std::size_t color = 0; color < colors; ++color)
      parts[color] = parts[color] | of_each[color];
  });
  return parts;
}

// Region instances: arrays of one or several fields over a rectangle, in memory that the program
// chooses. Deferred operations make and destroy them. (Treichler, Bauer and Aiken: Realm, PACT
// 2014.)

namespace regions {

/// The memory that an instance needs on each of its PEs.
struct needed_memory {
  std::uint64_t bytes = 0;
  std::int32_t owner = 0;  ///< -1: all PEs
  placement memory = placement::owner_only;

  /// Returns the bytes that count towards the limit of each PE. If one PE holds the whole instance,
  /// each PE is charged with an equal share.
  std::uint64_t charged() const {
    return owner < 0 ? bytes : ceil_divide(bytes, static_cast<std::uint64_t>(pes()));
  }

  /// Returns whether the instance lies in the private memory of one PE, which can allocate it
  /// alone.
  bool is_own() const { return owner >= 0 && memory == placement::owner_only; }
};

/// Returns the product, capped at 2^60 bytes, which is more than any PE has.
std::uint64_t bytes_of(std::uint64_t blocks, std::uint64_t block_bytes);

/// Makes and destroys the memory of an instance when `precondition` has triggered. The event of
/// `make_when` is the name of the instance.
event make_when(event precondition, needed_memory needed, site where);
event destroy_when(event precondition, events::name instance, needed_memory needed, site where);

/// The layout of a block of `volume` elements: its size in bytes, and begin and step of field
/// `which`.
struct record_layout {
  std::uint64_t block_bytes = 0;
  std::uint64_t begin = 0;
  std::uint64_t step = 0;
};
record_layout lay_out(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> aligns,
                      std::size_t which, field_order order, std::uint64_t volume);

}  // namespace regions

/// An array of `Fields` over a rectangle of N dimensions. A trivially copyable value to capture and
/// send. The memory exists when `ready()` has triggered, and is zero at first. The last dimension
/// runs fastest.
///
/// If an operation fails while it writes into an instance, the instance is poisoned: later accesses
/// to its elements fail with the same error.
template <std::size_t N, class... Fields>
class region_instance {
  static_assert((message::travels<Fields> && ...), "fields are trivially copyable");

 public:
  template <std::size_t Which>
  using field_type = std::tuple_element_t<Which, std::tuple<Fields...>>;

  region_instance() = default;

  const rectangle<N>& bounds() const { return grid_.bounds; }

  /// Returns the event that triggers when the instance can be used. The event fails with atl::error
  /// (out_of_memory).
  event ready() const { return made_; }

  /// Returns all elements of a field, or those of a rectangle. This function and those below do not
  /// communicate. Throws atl::error (input) if the rectangle is not within the bounds.
  template <std::size_t Which = 0>
  region_part<field_type<Which>, N> part() const {
    return part<Which>(bounds());
  }
  /// Returns the elements `points` of a field. Does not communicate. Throws atl::error (input) if
  /// `points` is not within the bounds.
  template <std::size_t Which = 0>
  region_part<field_type<Which>, N> part(const rectangle<N>& points) const {
    regions::check_points(points, bounds());
    regions::field_part<N> described{layout_of(Which), points};
    std::iota(described.axes.begin(), described.axes.end(), std::uint8_t{0});
    return region_part<field_type<Which>, N>(described);
  }

  /// Returns the blocks of this PE, in the order of their places in memory.
  std::vector<rectangle<N>> local_blocks() const {
    std::vector<rectangle<N>> mine;
    regions::for_each_point(rectangle_of(grid_.blocks()), [&](const point<N>& which) {
      if (grid_.owner_of(which) == my_pe()) mine.push_back(grid_.points_of(which));
    });
    return mine;
  }

  /// Returns a view of the elements `points` of a field. They must lie in one block, on this PE or
  /// in symmetric memory of its node. Throws atl::error (input) if they do not, or if the instance
  /// does not exist. Throws its error if the instance is poisoned.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(const rectangle<N>& points,
                                        site where = site::current()) const {
    const auto described = part<Which>(points).described();
    return {regions::address_of(described, where), described.field.steps(), points};
  }
  /// Returns a view of all elements of a field of an instance that has one block. Throws as
  /// `access(points)`.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(site where = site::current()) const {
    return access<Which>(bounds(), where);
  }

  /// Frees the memory of the instance when `precondition` has triggered. The returned event
  /// triggers when that is done. Call it once; nothing may use the instance afterwards. Does not
  /// block. Throws atl::error (out_of_memory).
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

/// Makes an instance of these fields when `precondition` has triggered:
/// `make_instance<double>(rectangle_of<2>({n, n}))`. By default all of it lies on this PE. One task
/// of one PE calls it; it does not block. Throws atl::error (out_of_memory).
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

// Deferred operations on rectangles of region instances: copies, fills, and reductions of one into
// another (atoll/reduction.hpp).

/// Copies the elements of `from` to those of `to`, which has the same extents, when `precondition`
/// has triggered. The two may differ in placement and layout, but must not overlap. `report` is
/// called with the times of the copy, as for `timed`.
///
/// Does not block. Throws atl::error: input if the extents differ or the parts overlap;
/// out_of_memory. The event fails with atl::error (input) if an element must be sent that is larger
/// than one message.
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event copy_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<region_part<T, N>>& from,
                              Report report = {}, site where = site::current()) {
  regions::check_both(to.described(), from.described());
  const auto copy = [to = to.described(), from = from.described(), where] {
    return regions::transfer(to, from, regions::storing_of<T>(to), where);
  };
  return spawn_when(precondition, timed(copy, std::move(report)), where);
}

/// Stores `value` in all elements of `to` when `precondition` has triggered. The event triggers
/// when all are stored. Does not block. `report` is called with the times of the fill, as for
/// `timed`. Throws atl::error (out_of_memory).
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<T>& value, Report report = {},
                              site where = site::current()) {
  const auto fill = [to = to.described(), value, where] { return regions::fill(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// Reduces each element of `from` into that of `to`, by `operation.apply`, when `precondition` has
/// triggered. The owner of `to` applies the operation, so several calls may reduce into the same
/// elements at once. Extents, `report` and errors are as for `copy_when`. Does not block.
template <reduction_operation Operation, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event
reduce_when(event precondition, const region_part<typename Operation::value, N>& to,
            const region_part<typename Operation::partial, N>& from, const Operation& operation,
            Report report = {}, site where = site::current()) {
  regions::check_both(to.described(), from.described());
  const auto reduce = [to = to.described(), from = from.described(), operation, where] {
    return regions::transfer(to, from, regions::applying<Operation>{operation}, where);
  };
  return spawn_when(precondition, timed(reduce, std::move(report)), where);
}

// Single elements of region instances on any PEs. Their owners read, write and reduce them.

/// The elements of a one-dimensional part, for use by one task. Make it when the instance is ready,
/// and use it only as long as the instance exists. Index 0 is the first element of the part.
template <class T>
class region_elements {
 public:
  /// Makes access to the elements of `part`. Throws atl::error (input) if the instance does not
  /// exist.
  explicit region_elements(const region_part<T, 1>& part, site where = site::current())
      : places_(part.described()) {
    const auto& field = places_.field();
    is_global_ = field.grid.owner < 0 || field.memory == placement::symmetric;
    if (is_global_)
      offset_ = regions::instance_table::here().offset_of(field.instance, where) + field.begin;
  }

  std::uint64_t size() const { return places_.size(); }

  /// Returns the value of element `i`. Awaited by a task, which is suspended if another PE owns the
  /// element.
  auto read(std::uint64_t i, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element] { return element.here(); }, where);
  }

  /// Stores `value` in element `i`. Awaited by a task, which is suspended until the store is
  /// visible.
  auto write(std::uint64_t i, T value, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element, value] { element.here() = value; }, where);
  }

  /// Reduces `more` into element `i`, by `operation.apply` on its owner. Awaited by a task, which
  /// is suspended until that is done.
  template <reduction_operation Operation>
  auto reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
              site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(
        element.pe, [element, operation, more] { operation.apply(element.here(), more); }, where);
  }

  /// Starts to reduce `more` into element `i`, by `operation.apply` on its owner. Does not block;
  /// the enclosing scope counts the call. Throws atl::error (overflow).
  template <reduction_operation Operation>
  void async_reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
                    site where = site::current()) const {
    const auto apply = [operation, more](T& data) { operation.apply(data, more); };
    if (is_global_) [[likely]] {
      const regions::element_place place = places_[i];
      return async_update(global_address<T>(place.pe, offset_ + place.slot * places_.unit()), apply,
                          where);
    }
    const located element = locate(i, where);
    async_call(element.pe, [element, apply] { apply(element.here()); }, where);
  }

 private:
  /// The address of an element as the name of its instance and a place in it.
  struct located {
    int pe;
    events::name instance;
    std::uint64_t place;
    transport::travelling_site where;

    T& here() const {
      std::byte* const memory = regions::instance_table::here().memory_of(instance, my_pe(), where);
      return *reinterpret_cast<T*>(memory + place);
    }
  };

  located locate(std::uint64_t i, site where) const {
    const regions::element_place place = places_[i];
    const auto& field = places_.field();
    return {place.pe, field.instance, field.begin + place.slot * places_.unit(), where};
  }

  regions::element_map places_;
  bool is_global_ = false;
  std::uint64_t offset_ = 0;
};

// Reduction instances that hold one partial result per element: for contributions to most elements.
// (The reduction fold instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

/// A partial result for each element of a one-dimensional part, for use by one task.
template <reduction_operation Operation>
class fold_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes partial results for the elements of `target`. They may be reduced into it when `open`
  /// has triggered. Throws atl::error (out_of_memory).
  fold_instance(const Operation& operation, const target_part& target, event open = event::none)
      : operation_(operation),
        target_(target.described()),
        elements_(operation, target_.points.volume()),
        open_(open) {}

  /// Folds `value` into the partial result of element `i`. Does not communicate. Debug builds throw
  /// atl::error (input) if there is no such element.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, target_.points.volume());
    operation_.fold(elements_[i], value);
  }

  /// Returns true: the instance holds partial results for all elements, not a list.
  static constexpr bool is_fold() { return true; }

  /// Reduces all partial results into the part, when `open` has triggered. The returned event
  /// triggers when that is done. The owners of the elements apply the operation, so several
  /// instances may be merged at once. If it fails, the part is poisoned. Call it once; the instance
  /// must not be used afterwards. Does not block. Throws atl::error (out_of_memory).
  [[nodiscard]] event merge(site where = site::current()) {
    auto merge_all = [elements = std::move(elements_), operation = operation_, target = target_,
                      where]() -> task<> {
      const auto send = [&] { return elements.send(operation, target, where); };
      co_await regions::write_or_poison(target.field, send, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  [[no_unique_address]] Operation operation_;
  regions::field_part<1> target_;
  regions::folded_elements<Operation> elements_;
  event open_;
};

// Reduction instances that are lists of (element, partial result): for contributions to few of many
// elements. (The reduction list instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

/// A list of contributions to the elements of a one-dimensional part, for use by one task.
template <reduction_operation Operation>
class list_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes an empty list for `target`. The contributions may be reduced into it when `open` has
  /// triggered. Full pieces of the list are sent before `merge`, like `async_update`s: a long loop
  /// awaits `room()`. Throws atl::error: out_of_memory; input if one PE has more than 2^32 elements
  /// of the region.
  list_instance(const Operation& operation, const target_part& target, event open = event::none,
                site where = site::current())
      : lists_(operation, target.described(), open, where), open_(open) {}

  /// Adds `value` to the list of contributions, for element `i` of the part. Does not block. Throws
  /// atl::error: out_of_memory; overflow; input in debug builds if there is no such element. A call
  /// that throws has added nothing and may be repeated.
  void reduce(std::uint64_t i, const partial& value) { lists_->add(i, value); }

  /// Returns false: the instance is a list.
  static constexpr bool is_fold() { return false; }

  /// Reduces all contributions into the part, when `open` has triggered. The returned event
  /// triggers when that is done. The owners of the elements apply the operation, so several
  /// instances may be merged at once. If it fails, the part is poisoned. Call it once; the list
  /// must not be used afterwards. Does not block. Throws atl::error (out_of_memory): then the
  /// contributions that were not sent yet are lost.
  [[nodiscard]] event merge(site where = site::current()) {
    auto merge_all = [all = std::move(lists_), where]() -> task<> {
      const auto field = all->places().field();
      const auto finish_all = [&] { return all->finish_all(); };
      co_await regions::write_or_poison(field, finish_all, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  regions::owned_lists<Operation> lists_;
  event open_;
};

// Reduction instances that choose their representation. A list costs by the number of
// contributions. A list of folded contributions is cheaper if a few elements get most of them.
// Partial results for all elements cost by the number of elements.

/// Contributions to the elements of a one-dimensional part, for use by one task. The instance
/// begins as a list and changes to the cheapest representation. It changes sooner if it knows how
/// many contributions to expect.
template <reduction_operation Operation>
class automatic_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes an empty instance for `target`. The contributions may be reduced into it when `open` has
  /// triggered. `expected` is about the number of contributions; 0: not known. A long loop awaits
  /// `room()`, as for a `list_instance`. Throws as the constructor of `list_instance`.
  automatic_instance(const Operation& operation, const target_part& target,
                     std::uint64_t expected = 0, event open = event::none,
                     site where = site::current())
      : operation_(operation),
        target_(target),
        list_(operation, target.described(), open, where),
        recent_(std::in_place, operation),
        open_(open),
        expected_(expected) {}

  /// Adds `value` to the contributions, for element `i` of the part. Does not block. Throws
  /// atl::error: out_of_memory; overflow; input in debug builds if there is no such element. A call
  /// that throws has added nothing and may be repeated.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, size());
    if (!elements_ && until_decision_ == 0) [[unlikely]]
      decide();
    if (elements_) return operation_.fold(elements_[i], value);
    if (recent_)
      recent_->reduce(operation_, i, value, into_list());
    else
      list_->add(i, value);
    --until_decision_;
  }

  /// Returns whether the instance holds partial results for all elements now; otherwise it is a
  /// list.
  bool is_fold() const { return static_cast<bool>(elements_); }

  /// Reduces all contributions into the part, when `open` has triggered. The returned event
  /// triggers when that is done. The owners of the elements apply the operation, so several
  /// instances may be merged at once. If it fails, the part is poisoned. Call it once; the instance
  /// must not be used afterwards. Does not block. Throws atl::error (out_of_memory): then the
  /// contributions that were not sent yet are lost.
  [[nodiscard]] event merge(site where = site::current()) {
    if (recent_) recent_->clear(into_list());
    auto merge_all = [list = std::move(list_), elements = std::move(elements_),
                      operation = operation_, target = target_.described(), where]() -> task<> {
      const auto send_all = [&]() -> task<> {
        if (elements) co_await elements.send(operation, target, where);
        co_await list->finish_all();
      };
      co_await regions::write_or_poison(target.field, send_all, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  std::uint64_t size() const { return target_.described().points.volume(); }
  auto into_list() {
    return [this](std::uint64_t i, const partial& folded) { list_->add(i, folded); };
  }

  bool is_skewed() const {
    const bool has_network = !this_pe().transport->nodes().empty();
    return recent_->hits() >=
           (has_network ? regions::k_hits_over_network : regions::k_hits_within_node);
  }

  /// Decides on the representation: after the sample, and once more for a list whose number of
  /// contributions is unknown. If it throws, it may be called again.
  [[gnu::noinline]] void decide() {
    const bool is_first = recent_.has_value();
    const bool stays =
        is_first && is_skewed() && size() * sizeof(partial) > regions::k_bytes_of_cheap_fold;
    if (is_first && !stays) recent_->clear(into_list());
    until_decision_ = k_never;
    if (stays) return;
    recent_.reset();
    const std::uint64_t most = regions::most_in_list(size(), expected_);
    if (is_first && most > regions::k_sample)
      until_decision_ = most - regions::k_sample;
    else
      fold_from_here();
  }

  /// Changes to partial results for all elements. Without memory for them, the instance stays a
  /// list.
  void fold_from_here() {
    try {
      elements_ = regions::folded_elements<Operation>(operation_, size());
    } catch (const error& refused) {
      if (refused.code() != errc::out_of_memory) throw;
    }
  }

  static constexpr auto k_never = std::uint64_t(-1);

  [[no_unique_address]] Operation operation_;
  target_part target_;
  regions::owned_lists<Operation> list_;
  std::optional<regions::recent_elements<Operation>> recent_;
  regions::folded_elements<Operation> elements_;
  event open_;
  std::uint64_t expected_;
  std::uint64_t until_decision_ = regions::k_sample;
};

}  // namespace atl
