#pragma once
// Region instances: arrays over a rectangle in memory that the program chooses, their copies and
// fills, their single elements, and partitions of index spaces; and reduction instances, many
// contributions to elements, kept as partial results, as a list, or as what suits them.

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
#include "atoll/region/filling.hpp"
#include "atoll/region/recent_elements.hpp"
#include "atoll/region/reducing.hpp"
#include "atoll/region/reduction_choice.hpp"
#include "atoll/region/region_part.hpp"
#include "atoll/region/transfer.hpp"
#include "atoll/transport/travelling_site.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

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

/// Elements of one field in memory that this PE can address, by their coordinates. A view: the
/// instance must be there as long as it is used. In debug builds elements that it does not have are
/// refused with atl::error (input).
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

// Index spaces cut into parts: by blocks, or by the colour of each point.

/// The points of `all` in each block of these extents, which begin at the lowest corner of its
/// bounds; in the order of the blocks, the last dimension running fastest. Empty parts are there.
/// Throws atl::error (input) where an extent is not positive.
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

/// The parts of a rectangle by colour, where `color_of` has the coordinates that are left.
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

/// The points of `all` by `color_of(point)`, a number below `colors`; points of other colours are
/// in no part. Looks at each point once.
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
// chooses, made and destroyed by deferred operations. (Treichler, Bauer and Aiken: Realm, PACT
// 2014.)

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

// Copies and fills of rectangles of region instances, which begin when an event has triggered, and
// reductions of one into another (atoll/reduction.hpp).

/// Copies the elements of `from` to those of `to`, which has the same extents, when `precondition`
/// has triggered. The two are of any placement and layout, and do not overlap. Does not wait.
/// Throws atl::error: input where the extents differ or they overlap; out_of_memory. The event
/// fails with atl::error (input) where an element has to travel that one message cannot take.
/// `report` is told the times of it, as by `timed`.
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

/// Stores `value` in all elements of `to` when `precondition` has triggered. Does not wait. Throws
/// atl::error (out_of_memory). `report` as for `copy_when`.
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<T>& value, Report report = {},
                              site where = site::current()) {
  const auto fill = [to = to.described(), value, where] { return regions::fill(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// Reduces each element of `from` into that of `to`, by `operation.apply`, when `precondition` has
/// triggered. The owner of `to` does it, so that several may reduce into the same elements at once.
/// Otherwise as `copy_when`.
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

// Single elements of region instances, wherever they lie: read, written and reduced by their
// owners.

/// The elements of a one-dimensional part, as one task uses them: made when the instance is ready,
/// and used as long as it is there. Indices are counted from the begin of the part.
template <class T>
class region_elements {
 public:
  /// Throws atl::error (input) where the instance is not there.
  explicit region_elements(const region_part<T, 1>& part, site where = site::current())
      : places_(part.described()) {
    const auto& field = places_.field();
    is_global_ = field.grid.owner < 0 || field.memory == placement::symmetric;
    if (is_global_)
      offset_ = regions::instance_table::here().offset_of(field.instance, where) + field.begin;
  }

  std::uint64_t size() const { return places_.size(); }

  /// Awaitable: the value of element `i`.
  auto read(std::uint64_t i, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element] { return element.here(); }, where);
  }

  /// Awaitable: stores `value` in element `i`.
  auto write(std::uint64_t i, T value, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element, value] { element.here() = value; }, where);
  }

  /// Awaitable: reduces `more` into element `i`.
  template <reduction_operation Operation>
  auto reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
              site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(
        element.pe, [element, operation, more] { operation.apply(element.here(), more); }, where);
  }

  /// The same without waiting; counted by the enclosing scope. Throws atl::error (overflow).
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
  /// An element by the name of its instance.
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

// Reduction instances that hold a partial result for each element: for contributions to most of
// them. (The reduction fold instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

/// A partial result for each element of a one-dimensional part, of one task.
template <reduction_operation Operation>
class fold_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// They may be reduced into the part when `open` has triggered. Throws atl::error
  /// (out_of_memory).
  fold_instance(const Operation& operation, const target_part& target, event open = event::none)
      : operation_(operation),
        target_(target.described()),
        elements_(operation, target_.points.volume()),
        open_(open) {}

  /// Folds `value` into the partial result of element `i`. Does not communicate. In debug builds
  /// throws atl::error (input) where there is no such element.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, target_.points.volume());
    operation_.fold(elements_[i], value);
  }

  /// It has partial results for all elements, and is no list.
  static constexpr bool is_fold() { return true; }

  /// As that of `list_instance`.
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

/// A list of contributions to the elements of a one-dimensional part, of one task.
template <reduction_operation Operation>
class list_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// They may be reduced into the part when `open` has triggered. What the list sends before it is
  /// merged is as with `async_update`: a long loop waits for `room()`. Throws atl::error:
  /// out_of_memory; input where one PE has more elements of the region than 2^32.
  list_instance(const Operation& operation, const target_part& target, event open = event::none,
                site where = site::current())
      : lists_(operation, target.described(), open, where), open_(open) {}

  /// Notes that `value` is to be reduced into element `i` of the part. Does not wait. Throws
  /// atl::error: out_of_memory; overflow; in debug builds input, where there is no such element.
  /// What throws has noted nothing, and may be called again.
  void reduce(std::uint64_t i, const partial& value) { lists_->add(i, value); }

  /// It has partial results for all elements, and is no list.
  static constexpr bool is_fold() { return false; }

  /// The event triggers when all of it has been reduced into the part; the owners of the elements
  /// do that, so that several instances may be merged at once. Where that fails, the part is
  /// poisoned. Once; the list is not used any more. Does not wait. Throws atl::error
  /// (out_of_memory): then what has not left is lost.
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

// A reduction instance that finds out what it had better be: a list of contributions, which costs
// by their number; a list of what was folded of those to one element, where a few elements get most
// of them; or a partial result for each element, which costs by the number of elements.

/// Contributions to the elements of a one-dimensional part, of one task. Begins as a list, and
/// becomes what costs less; sooner if it was told how many contributions to expect.
template <reduction_operation Operation>
class automatic_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// As a `list_instance`. `expected` is about how many contributions come; 0: not known.
  automatic_instance(const Operation& operation, const target_part& target,
                     std::uint64_t expected = 0, event open = event::none,
                     site where = site::current())
      : operation_(operation),
        target_(target),
        list_(operation, target.described(), open, where),
        recent_(std::in_place, operation),
        open_(open),
        expected_(expected) {}

  /// As that of `list_instance`.
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

  /// It has partial results for all elements, and is no list.
  bool is_fold() const { return static_cast<bool>(elements_); }

  /// As that of `list_instance`.
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

  /// First after the sample, and once more where it is a list of an unknown number. May be called
  /// again where it throws.
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

  /// It stays a list where there is no memory for partial results.
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
