#pragma once
// Region instances: arrays over a rectangle, whose memory the program places. This header declares
// copies, fills and single elements of instances, and partitions of index spaces. Reduction
// instances collect many contributions to elements, as partial results, as a list, or as the
// cheaper of both.

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

/// Throws atl::error (input) if the job has no PE `pe`.
void check_pe(int pe);

}  // namespace regions

/// The order in which the fields of an instance are stored in each of its blocks.
enum class field_order : std::uint8_t {
  structure_of_arrays,  ///< all elements of a field are contiguous
  array_of_structures   ///< all fields of an element are contiguous
};

/// Tells on which PEs, in which memory and in which layout an instance is stored. By default, an
/// instance is stored on the PE that makes the placement object.
class instance_placement {
 public:
  instance_placement() : owner_(my_pe()) {}

  /// Places the instance in the private memory of PE `pe`. Throws atl::error (input) if the job has
  /// no such PE.
  static instance_placement on(int pe) {
    regions::check_pe(pe);
    return dealt_to(pe);
  }
  /// Places the instance in the symmetric memory of PE `pe`. All PEs of the same node can then
  /// access the elements directly. The instance takes the same amount of address space on every PE.
  /// Throws atl::error (input) if the job has no such PE.
  static instance_placement in_node_memory_of(int pe) {
    instance_placement chosen = on(pe);
    chosen.memory_ = placement::symmetric;
    return chosen;
  }
  /// Divides the instance by its first dimension into equal parts, one per PE.
  static instance_placement spread() { return dealt_to(regions::block_grid<1>::k_all); }
  /// Divides the instance into blocks with the extents `block`. The blocks are assigned to the PEs
  /// in turn (round-robin). Throws atl::error (input) if an extent is negative.
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

  std::array<std::int64_t, 3> block_{};  // extents of a block; 0: grid_of chooses the extents
  std::int32_t owner_;
  placement memory_ = placement::owner_only;
  field_order order_ = field_order::structure_of_arrays;
};

/// A view of the elements of one field, indexed by their coordinates. The elements must be in
/// memory that this PE can address directly. The instance must exist as long as the view is used.
/// Debug builds throw atl::error (input) if a point is outside of the view.
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

// This section partitions index spaces, by blocks or by a colour of each point.

/// Divides `all` into blocks with the given extents. The first block begins at the lowest corner of
/// the bounds of `all`. Returns the points of `all` in each block; a set may be empty. The blocks
/// come in row-major order: the last coordinate changes fastest. Does not communicate. Throws
/// atl::error (input) if an extent is not positive.
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

/// Divides a rectangle by colour. In the recursion, `color_of` takes only the coordinates of the
/// dimensions that are left.
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

/// Divides the points of `all` into sets by their colours. `color_of(point)` returns the colour, a
/// number below `colors`. If the colour of a point is `colors` or larger, the point is in none of
/// the sets. Calls `color_of` once per point. Does not communicate.
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

// This section declares region instances: arrays of one or several fields over a rectangle, whose
// memory the program places. Deferred operations make and destroy instances. (Treichler, Bauer and
// Aiken: Realm, PACT 2014.)

namespace regions {

/// The memory that an instance needs on each PE that stores a part of the instance.
struct needed_memory {
  std::uint64_t bytes = 0;
  std::int32_t owner = 0;  ///< PE that stores the whole instance; -1: all PEs store parts
  placement memory = placement::owner_only;

  /// Returns the bytes that count towards the memory limit of each PE. If one PE stores the whole
  /// instance, each PE is charged an equal share.
  std::uint64_t charged() const {
    return owner < 0 ? bytes : ceil_divide(bytes, static_cast<std::uint64_t>(pes()));
  }

  /// Returns whether the instance is in the private memory of one PE. If so, the owner allocates
  /// the memory without the other PEs.
  bool is_own() const { return owner >= 0 && memory == placement::owner_only; }
};

/// Returns `blocks` * `block_bytes`, or 2^60 if the product is larger. (No PE has that many bytes.)
std::uint64_t bytes_of(std::uint64_t blocks, std::uint64_t block_bytes);

/// `make_when` allocates and `destroy_when` frees the memory of an instance when `precondition` has
/// triggered. The event that `make_when` returns also identifies the instance.
event make_when(event precondition, needed_memory needed, site where);
event destroy_when(event precondition, events::name instance, needed_memory needed, site where);

/// The layout of a block with `volume` elements: the size of the block in bytes, and the offset and
/// stride of the field `which`.
struct record_layout {
  std::uint64_t block_bytes = 0;
  std::uint64_t begin = 0;
  std::uint64_t step = 0;
};
record_layout lay_out(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> aligns,
                      std::size_t which, field_order order, std::uint64_t volume);

}  // namespace regions

/// An array of `Fields` over a rectangle of N dimensions. The object is a trivially copyable
/// handle, which can be captured and sent. The memory exists as soon as the event `ready()` has
/// triggered, and is zero at first. Elements are in row-major order: the last coordinate changes
/// fastest.
///
/// If an operation fails while it writes to an instance, the instance becomes poisoned. Later
/// accesses to the elements of a poisoned instance fail with the same error.
template <std::size_t N, class... Fields>
class region_instance {
  static_assert((message::bitwise_copyable<Fields> && ...), "fields are trivially copyable");

 public:
  template <std::size_t Which>
  using field_type = std::tuple_element_t<Which, std::tuple<Fields...>>;

  region_instance() = default;

  const rectangle<N>& bounds() const { return grid_.bounds; }

  /// Returns the event that triggers when the instance can be used. If memory is exhausted, the
  /// event fails with atl::error (out_of_memory).
  event ready() const { return made_; }

  /// Returns all elements of a field. Does not communicate.
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

  /// Returns the blocks that this PE stores, in the order of their places in memory.
  std::vector<rectangle<N>> local_blocks() const {
    std::vector<rectangle<N>> mine;
    regions::for_each_point(rectangle_of(grid_.blocks()), [&](const point<N>& which) {
      if (grid_.owner_of(which) == my_pe()) mine.push_back(grid_.points_of(which));
    });
    return mine;
  }

  /// Returns a view of the elements `points` of a field. All these elements must be in one block.
  /// The block must be on this PE, or in symmetric memory of this node. Throws atl::error (input)
  /// if one of these conditions is not met, or if the instance does not exist. If the instance is
  /// poisoned, throws the error that poisoned it.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(const rectangle<N>& points,
                                        site where = site::current()) const {
    const auto described = part<Which>(points).described();
    return {regions::address_of(described, where), described.field.steps(), points};
  }
  /// Returns a view of all elements of a field, if the instance has one block. Throws the errors of
  /// `access(points)`.
  template <std::size_t Which = 0>
  accessor<field_type<Which>, N> access(site where = site::current()) const {
    return access<Which>(bounds(), where);
  }

  /// Frees the memory of the instance when `precondition` has triggered. The returned event
  /// triggers when the memory is freed. The program must call this function only once. The instance
  /// must not be used after its memory is freed. Does not block. Throws atl::error (out_of_memory).
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

/// Makes an instance with the fields `Fields` when `precondition` has triggered. Example:
/// `make_instance<double>(rectangle_of<2>({n, n}))`. By default, the instance is stored on this PE.
/// One task of one PE calls this function, which does not block. Throws atl::error (out_of_memory).
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

// This section declares deferred operations on rectangles of instances: copies, fills, and
// reductions of one rectangle into another (atoll/reduction.hpp).

/// Copies the elements of `from` to the elements of `to` when `precondition` has triggered. Both
/// parts must have the same extents, and must not overlap. The parts may have different placements
/// and layouts. `report` is called with the times of the copy, as for `timed`.
///
/// Does not block. Throws atl::error (input) if the extents differ or the parts overlap. Also
/// throws atl::error (out_of_memory). The returned event fails with atl::error (input) if an
/// element that must be sent is larger than one message.
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

/// Stores `value` in all elements of `to` when `precondition` has triggered. The returned event
/// triggers when all elements are stored. Does not block. `report` is called with the times of the
/// fill, as for `timed`. Throws atl::error (out_of_memory).
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<T>& value, Report report = {},
                              site where = site::current()) {
  const auto fill = [to = to.described(), value, where] { return regions::fill(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// When `precondition` has triggered, reduces each element of `from` into the element of `to` at
/// the same place, by `operation.apply`. The owner of the element of `to` applies the operation.
/// Several calls may therefore reduce into the same elements at once. The rules for extents,
/// `report` and errors are those of `copy_when`. Does not block.
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

// This section accesses single elements of region instances on any PEs. The owner of an element
// reads, writes and reduces it.

/// The elements of a part with one dimension, for use by one task. A program makes the object when
/// the instance is ready, and must not use it after the instance is destroyed. Index 0 is the first
/// element of the part.
template <class T>
class region_elements {
 public:
  /// Prepares access to the elements of `part`. Throws atl::error (input) if the instance does not
  /// exist.
  explicit region_elements(const region_part<T, 1>& part, site where = site::current())
      : places_(part.described()) {
    const auto& field = places_.field();
    is_global_ = field.grid.owner < 0 || field.memory == placement::symmetric;
    if (is_global_)
      offset_ = regions::instance_table::here().offset_of(field.instance, where) + field.begin;
  }

  std::uint64_t size() const { return places_.size(); }

  /// Returns the value of element `i`. The calling task awaits the result, and is suspended if
  /// another PE owns the element.
  auto read(std::uint64_t i, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element] { return element.here(); }, where);
  }

  /// Stores `value` in element `i`. The calling task awaits the call, and is suspended until the
  /// store is visible to all PEs.
  auto write(std::uint64_t i, T value, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element, value] { element.here() = value; }, where);
  }

  /// Combines `more` with element `i`, by `operation.apply` on the owner. The calling task awaits
  /// the call, and is suspended until the operation is done.
  template <reduction_operation Operation>
  auto reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
              site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(
        element.pe, [element, operation, more] { operation.apply(element.here(), more); }, where);
  }

  /// Starts to combine `more` with element `i`, by `operation.apply` on the owner. Does not block.
  /// The enclosing scope waits for the operation. Throws atl::error (overflow) if the unsent
  /// messages of this PE exceed the setting overflow-limit.
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
  /// The address of an element, as the event that identifies its instance and the offset of the
  /// element.
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

// This section declares reduction instances with one partial result per element. Partial results
// for all elements are efficient if most elements get contributions. (These are the reduction fold
// instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

/// One partial result for each element of a part with one dimension, for use by one task.
template <reduction_operation Operation>
class fold_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes partial results for the elements of `target`. `merge` waits until the event `open` has
  /// triggered before it changes `target`. Throws atl::error (out_of_memory).
  fold_instance(const Operation& operation, const target_part& target, event open = event::none)
      : operation_(operation),
        target_(target.described()),
        elements_(operation, target_.points.volume()),
        open_(open) {}

  /// Combines `value` with the partial result of element `i`. Does not communicate. Debug builds
  /// throw atl::error (input) if the part has no such element.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, target_.points.volume());
    operation_.fold(elements_[i], value);
  }

  /// Returns true, because this instance holds partial results for all elements, and not a list.
  static constexpr bool is_fold() { return true; }

  /// When `open` has triggered, reduces all partial results into the part. The returned event
  /// triggers when all partial results are reduced. The owners of the elements apply the operation,
  /// so several instances may be merged at once. If the merge fails, the part is poisoned. The
  /// program must call this function once, and not use the instance afterwards. Does not block.
  /// Throws atl::error (out_of_memory).
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

// This section declares reduction instances that are lists of pairs (element, partial result).
// Lists are efficient if few of many elements get contributions. (These are the reduction list
// instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

/// A list of contributions to the elements of a part with one dimension, for use by one task.
template <reduction_operation Operation>
class list_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes an empty list for `target`. Contributions change `target` only when `open` has
  /// triggered. The list is divided into pieces, and each full piece is sent before `merge`, like
  /// an `async_update`. A long loop should therefore await `room()`. Throws atl::error
  /// (out_of_memory). Throws atl::error (input) if one PE has too many elements for indices of 32
  /// bits.
  list_instance(const Operation& operation, const target_part& target, event open = event::none,
                site where = site::current())
      : lists_(operation, target.described(), open, where), open_(open) {}

  /// Adds the contribution `value` for element `i` of the part to the list. Does not block. Throws
  /// atl::error (out_of_memory), atl::error (overflow), or in debug builds atl::error (input) if
  /// the part has no such element. A call that throws has added nothing and may be repeated.
  void reduce(std::uint64_t i, const partial& value) { lists_->add(i, value); }

  /// Returns false, because this instance is a list.
  static constexpr bool is_fold() { return false; }

  /// When `open` has triggered, reduces all contributions into the part. The returned event
  /// triggers when all are reduced. The owners of the elements apply the operation, so several
  /// instances may be merged at once. If the merge fails, the part is poisoned. The program must
  /// call this function once, and not use the list afterwards. Does not block. Throws atl::error
  /// (out_of_memory); contributions that were not sent yet are then lost.
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

// This section declares reduction instances that choose their representation. The cost of a list is
// proportional to the number of contributions. If a few elements get most contributions, it is
// cheaper to combine their contributions before they enter the list. The cost of partial results is
// proportional to the number of elements.

/// Collects contributions to the elements of a part with one dimension, for use by one task. The
/// instance begins as a list and later changes to the cheapest representation. The change comes
/// sooner if the program tells how many contributions to expect.
template <reduction_operation Operation>
class automatic_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// Makes an empty instance for `target`. Contributions change `target` only when `open` has
  /// triggered. `expected` is the approximate number of contributions; 0 means that the number is
  /// unknown. A long loop should await `room()`, as for a `list_instance`. Throws the errors of the
  /// constructor of `list_instance`.
  automatic_instance(const Operation& operation, const target_part& target,
                     std::uint64_t expected = 0, event open = event::none,
                     site where = site::current())
      : operation_(operation),
        target_(target),
        list_(operation, target.described(), open, where),
        recent_(std::in_place, operation),
        open_(open),
        expected_(expected) {}

  /// Adds the contribution `value` for element `i` of the part. Does not block. Throws atl::error
  /// (out_of_memory), atl::error (overflow), or in debug builds atl::error (input) if the part has
  /// no such element. A call that throws has added nothing and may be repeated.
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

  /// Returns whether the instance now holds partial results for all elements. If the result is
  /// false, the instance is a list.
  bool is_fold() const { return static_cast<bool>(elements_); }

  /// When `open` has triggered, reduces all contributions into the part. The returned event
  /// triggers when all are reduced. The owners of the elements apply the operation, so several
  /// instances may be merged at once. If the merge fails, the part is poisoned. The program must
  /// call this function once, and not use the instance afterwards. Does not block. Throws
  /// atl::error (out_of_memory); contributions that were not sent yet are then lost.
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

  /// Chooses the representation after the first contributions were sampled. If the instance stays a
  /// list, and the final number of contributions is unknown, the function is called once more
  /// later. If this function throws, the caller may call it again.
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

  /// Changes the representation to partial results for all elements. If memory is short, the
  /// instance stays a list.
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
